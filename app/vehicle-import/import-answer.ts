// What the page of an import shows: of the whole file before it, and of each block of lines while it runs.

/** One letter for each, in what travels with the form. */
export const LINE_KINDS = [
  { kind: 'new', letter: 'n', word: 'Added' },
  { kind: 'changed', letter: 'c', word: 'Changed' },
  { kind: 'unchanged', letter: 'u', word: 'As it is' },
  { kind: 'marked', letter: 's', word: 'A spreadsheet may have changed' },
  { kind: 'conflicting', letter: 'k', word: 'Conflicting' },
  { kind: 'refused', letter: 'r', word: 'Refused' },
] as const;
export type LineKind = (typeof LINE_KINDS)[number]['kind'];

/** What is said of a cell of the file. `column`: '' for the line. */
export type CellNote = { column: string; cell: string; why: string };

/**
 * `line`: in the file, from 1. `version`: of the record that it changes; null: it is added. `marked`: it is written
 * only when somebody ticks it.
 */
export type LinePlan = { line: number; rego: string } & (
  | { kind: 'new' | 'changed'; version: number | null; changes: string[] }
  | { kind: 'marked'; version: number | null; changes: string[]; notes: CellNote[] }
  | { kind: 'unchanged' }
  | { kind: 'conflicting' | 'refused'; note: CellNote }
);
export type LineNote = { line: number; rego: string; why: string };

/** 'vin: It is the VIN of XV04KL.' */
export const noteText = ({ column, why }: CellNote): string => (column === '' ? why : `${column}: ${why}`);

/** How the table was read. `headings`: those that are not the names of our columns. `day`: one of two readings. */
export type TableRead = {
  lines: number;
  headings: { heading: string; label: string }[];
  unread: string[];
  day: { text: string; words: string } | undefined;
  sheet?: { name: string; of: number };
};

export type ImportPreview = {
  step: 'preview';
  read: TableRead;
  counts: { kind: LineKind; word: string; count: number }[];
  /** What an import leaves out first, then what it does; not what stays as it is. Only so many are shown. */
  lines: LinePlan[];
  hidden: number;
  /** What was seen of each line: an import does nothing else. */
  seen: string;
};
/** `next`: the place of the first line not done; null: all are. `left`: lines that were not taken, of all blocks. */
export type ImportProgress = {
  step: 'import';
  total: number;
  next: number | null;
  added: number;
  updated: number;
  left: LineNote[];
  hiddenLeft: number;
  seen: string;
  /** The marked lines that somebody ticked. */
  taken: number[];
};
export type ImportAnswer = (ImportPreview | ImportProgress) & { csv: string };
