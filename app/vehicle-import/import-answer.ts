// What the page of an import shows: of the whole file before it, and of each block of lines while it runs.

/** One letter for each, in what travels with the form. */
export const LINE_KINDS = [
  { kind: 'new', letter: 'n', word: 'New' },
  { kind: 'changed', letter: 'c', word: 'Changed' },
  { kind: 'unchanged', letter: 'u', word: 'As it is' },
  { kind: 'conflicting', letter: 'k', word: 'Conflicting' },
  { kind: 'refused', letter: 'r', word: 'Refused' },
] as const;
export type LineKind = (typeof LINE_KINDS)[number]['kind'];

/** `line`: in the file, from 1. `version`: of the record that it changes; null: it is added. */
export type LinePlan = { line: number; rego: string } & (
  | { kind: 'new' | 'changed'; version: number | null; changes: string[] }
  | { kind: 'unchanged' }
  | { kind: 'conflicting' | 'refused'; why: string }
);
export type LineNote = { line: number; rego: string; why: string };

export type ImportPreview = {
  step: 'preview';
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
};
export type ImportAnswer = (ImportPreview | ImportProgress) & { csv: string };
