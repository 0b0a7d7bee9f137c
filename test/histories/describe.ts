// A history as somebody reads it who looks for the fault.
import type { Stuck } from './linearize.ts';
import { agrees } from './linearize.ts';
import type { Call, Operation } from './operation.ts';

/** One line for each call, in the order in which they began. */
export function describeCalls(calls: readonly Call[]): string {
  return calls
    .toSorted((a, b) => a.from - b.from)
    .map(describeCall)
    .join('\n');
}

function describeCall({ by, operation, from, to, outcome }: Call): string {
  const { do: what, ...more } = operation;
  const when = `${from}–${to}`.padStart(9);
  return `${when}  ${by.name} (${by.role}) ${what} ${JSON.stringify(more)} → ${JSON.stringify(outcome)}`;
}

/** How far an order came, and why it goes on no further. */
export function describeStuck<State, Op extends Operation>({
  order,
  state,
  expected,
  nextEntry,
}: Stuck<State, Op>): string {
  const lines = [
    `The farthest that an order comes, ${order.length} of them:`,
    ...order.map(({ call }) => describeCall(call)),
  ];
  lines.push(`Then there is: ${JSON.stringify(state)}`);
  if (nextEntry !== undefined) lines.push(`Next in the logs: ${JSON.stringify(nextEntry)}`);
  for (const { call, outcome, entries = [] } of expected) {
    lines.push(
      agrees(call.outcome, outcome)
        ? 'Could come next by its answer:'
        : 'Cannot come next, as the answer would differ:',
      describeCall(call),
      `           by the rules → ${JSON.stringify(outcome)}`,
    );
    if (nextEntry !== undefined) lines.push(...entries.map((entry) => `           and logs ${JSON.stringify(entry)}`));
  }
  if (expected.length === 0) lines.push('All are in the order, but the end is another.');
  return lines.join('\n');
}
