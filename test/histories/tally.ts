// How often each operation had each outcome: that the histories went where locks meet, and not only through refusals.
import type { Call } from './operation.ts';

export type Tally = Map<string, Map<string, number>>;

export function count(tally: Tally, calls: readonly Call[]): void {
  for (const { operation, outcome } of calls) {
    const outcomes = tally.get(operation.do) ?? new Map<string, number>();
    const name = String(outcome['reason'] ?? outcome['state'] ?? 'done');
    tally.set(operation.do, outcomes.set(name, (outcomes.get(name) ?? 0) + 1));
  }
}

/** One line for each operation, its outcomes by frequency. */
export function describeTally(tally: Tally): string {
  return [...tally]
    .map(([operation, outcomes]) => {
      const byFrequency = [...outcomes].toSorted(([, a], [, b]) => b - a);
      return `  ${operation}: ${byFrequency.map(([name, times]) => `${times} ${name}`).join(', ')}`;
    })
    .join('\n');
}
