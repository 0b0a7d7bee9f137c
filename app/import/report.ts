// What an import did: totals, a line for each record that was not simply taken, and how many there are of each sort.
import type { Note, Said } from './record-reader.ts';

/** `kept`: as it is here, since it was edited or deleted here, or a file stayed a link. `corrected`: of those taken. */
export type Outcome = 'added' | 'changed' | 'unchanged' | 'kept' | 'corrected' | 'refused';
const KINDS = ['Vehicles', 'Calibrations', 'Admins', 'Technicians', 'Applications', 'ActivityLogs', 'Files'] as const;
export type ReportKind = (typeof KINDS)[number];

/** Collects; `print` gets each line as it comes, so that a large import keeps none in memory. */
export class ImportReport {
  readonly #counts = new Map<string, number>();
  readonly #print: (line: string) => void;
  readonly #sorts = new Map<string, { count: number; examples: string[] }>();
  #odd = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  count(kind: ReportKind, outcome: Outcome, number = 1): void {
    this.#counts.set(`${kind} ${outcome}`, this.of(kind, outcome) + number);
  }

  /** Counts and names a record that is not taken. */
  refuse(kind: ReportKind, key: string, why: Said): undefined {
    this.count(kind, 'refused');
    this.line(key, 'refused', why);
    return undefined;
  }

  of(kind: ReportKind, outcome: Outcome): number {
    return this.#counts.get(`${kind} ${outcome}`) ?? 0;
  }

  /** A line about one record, for example `Vehicles/ABC123`. */
  line(key: string, word: string, said: Said): void {
    const { text, sort = text } = typeof said === 'string' ? { text: said } : said;
    this.#print(`${printable(key)}: ${word}: ${printable(text)}`);
    const own = `${word}: ${printable(sort)}`;
    // Field names come from the export: hostile ones must not fill the memory.
    const name = this.#sorts.has(own) || this.#sorts.size < SORTS_AT_MOST ? own : OTHERS;
    const { count, examples } = this.#sorts.get(name) ?? { count: 0, examples: [] };
    const isNew = examples.length < EXAMPLES && !examples.includes(printable(key));
    this.#sorts.set(name, { count: count + 1, examples: isNew ? [...examples, printable(key)] : examples });
  }

  /** What the lines are about: each sort with how many there are and some examples, the most frequent first. */
  sorts(): string[] {
    const sorted = [...this.#sorts].toSorted(([, a], [, b]) => b.count - a.count);
    return sorted.map(([name, { count, examples }]) => {
      const more = count > examples.length ? ', …' : '';
      return `${figure(count).padStart(9)}  ${name} (${examples.join(', ')}${more})`;
    });
  }

  notes(kind: ReportKind, key: string, notes: readonly Note[]): void {
    if (notes.length > 0) this.#odd += 1;
    if (notes.some((note) => note.kind === 'corrected')) this.count(kind, 'corrected');
    for (const note of notes) this.line(key, note.kind, note);
  }

  /** The changes that an import made: 0 when the export was all in already. */
  changes(): number {
    return KINDS.reduce((sum, kind) => sum + this.of(kind, 'added') + this.of(kind, 'changed'), 0);
  }

  totals(): string[] {
    return [
      ...KINDS.map((kind) => {
        const say = (outcome: Outcome) => `${figure(this.of(kind, outcome))} ${outcome}`;
        const taken = this.of(kind, 'added') + this.of(kind, 'changed');
        const skipped = this.of(kind, 'unchanged') + this.of(kind, 'kept');
        return `${kind.padEnd(13)} ${figure(taken)} imported (${say('added')}, ${say('changed')}), ${figure(skipped)} skipped (${say('unchanged')}, ${say('kept')}), ${say('corrected')}, ${say('refused')}`;
      }),
      `${figure(this.#odd)} records were unusual in some way. ${figure(this.changes())} changes.`,
    ];
  }
}

function figure(count: number): string {
  return count.toLocaleString('en-AU');
}

const EXAMPLES = 3;
const SORTS_AT_MOST = 200;
const OTHERS = 'of other sorts';
const LINE_MAX_LENGTH = 400;

// A record's text may hold control characters: they must not steer a terminal or break a line.
function printable(text: string): string {
  const short = text.length > LINE_MAX_LENGTH ? `${text.slice(0, LINE_MAX_LENGTH)}…` : text;
  return short
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '\ufffd');
}
