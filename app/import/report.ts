// What an import did: totals a kind, and a line for each record that was not simply taken.
import type { Note } from './record-reader.ts';

export type Outcome = 'added' | 'changed' | 'unchanged' | 'kept' | 'refused';
const OUTCOMES = ['added', 'changed', 'unchanged', 'kept', 'refused'] as const satisfies readonly Outcome[];
const KINDS = ['Vehicles', 'Calibrations', 'Admins', 'Technicians', 'Applications', 'ActivityLogs', 'Files'] as const;
export type ReportKind = (typeof KINDS)[number];

/** Collects; `print` gets each line as it comes, so that a large import keeps none in memory. */
export class ImportReport {
  readonly #counts = new Map<string, number>();
  readonly #print: (line: string) => void;
  mended = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  count(kind: ReportKind, outcome: Outcome, number = 1): void {
    this.#counts.set(`${kind} ${outcome}`, this.of(kind, outcome) + number);
  }

  of(kind: ReportKind, outcome: Outcome): number {
    return this.#counts.get(`${kind} ${outcome}`) ?? 0;
  }

  /** A line about one record, for example `Vehicles/ABC123`. */
  line(key: string, word: string, text: string): void {
    this.#print(`${printable(key)}: ${word}: ${printable(text)}`);
  }

  notes(key: string, notes: readonly Note[]): void {
    if (notes.length > 0) this.mended += 1;
    for (const { kind, text } of notes) this.line(key, kind, text);
  }

  /** The changes that an import made: 0 when the export was all in already. */
  changes(): number {
    return KINDS.reduce((sum, kind) => sum + this.of(kind, 'added') + this.of(kind, 'changed'), 0);
  }

  /** The totals, a line a kind. */
  totals(): string[] {
    return [
      ...KINDS.map(
        (kind) =>
          `${kind.padEnd(13)} ${OUTCOMES.map((outcome) => `${this.of(kind, outcome).toLocaleString('en-AU')} ${outcome}`).join(', ')}`,
      ),
      `${this.mended.toLocaleString('en-AU')} records with oddities, listed above. ${this.changes().toLocaleString('en-AU')} changes.`,
    ];
  }
}

// A record's text may hold anything; a terminal must not obey it.
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '�');
}
