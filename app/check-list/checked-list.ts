// What the page of many trucks shows of a list.
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import type { AnswerKind, AnswerWords } from './answer-words.ts';

export type ShownAnswer = AnswerWords & {
  number: number;
  asked: string;
  /** The truck's, if the line is one's rego or VIN. */
  rego: string | null;
  /** Null: no answer. */
  verdict: Verdict | null;
  matchesLog: boolean;
};
export type CheckedList = {
  asAt: string;
  /** The day that was asked for; '': today. */
  on: string;
  total: number;
  counts: { kind: AnswerKind; word: string; count: number }[];
  show: AnswerKind | 'all';
  page: number;
  pages: number;
  /** How many lines have the answer that is shown. */
  shownTotal: number;
  rows: ShownAnswer[];
  /** The signed head of the public log; null: none is signed yet. */
  log: { size: number; rootHex: string } | null;
  /** What travels in the form beside the list. */
  told: string;
};
/** `list`: its text, which travels in the form. */
export type CheckedAnswer = CheckedList & { list: string };
