// A line of a list of trucks, and its answer.
import type { Verdict } from '#app/vehicles/verdict-table.ts';

/**
 * A line as it was given. `number`: from 1. `text`: the cell that names the truck. `isKept`: no spreadsheet can have
 * changed it. `states`: of the heading, the column of states that is read beside it.
 */
export type GivenLine = { number: number; text: string; isHeading: boolean; isKept?: true; states?: string };

/** The answer to one line. `asked`: as it was given. `changed`: what a spreadsheet may have done to it. */
export type LineAnswer = { number: number; asked: string; changed?: string } & Said;

/** What is said of a line. */
export type Said =
  | { kind: 'heading'; states?: string }
  | { kind: 'empty' }
  | { kind: 'unreadable'; why: string }
  | {
      kind: 'found';
      rego: string;
      verdict: Verdict;
      /** Its records are the same as in the public log, and the daily check of its whole history found nothing. */
      matchesLog: boolean;
      dueOn: string | null;
      restsOn: string;
      /** The line is its VIN. */
      byVin: boolean;
      /** The state that was dropped: 'NSW'. */
      without?: string | undefined;
      /** Of a line that is a plate that the truck had before: 'XV12DE, this truck’s plate until 3 May 2026'. */
      formerly?: string | undefined;
      /** The first line with the same truck. */
      sameAs: number | null;
    }
  /** `total` trucks have this VIN, or contain the line in their rego or VIN; some of them. */
  | { kind: 'several'; total: number; regos: string[] }
  /** `near`: regos that look like it; only for the first lines without an answer. `in`: the state of the only one. */
  | { kind: 'not-found'; near: string[]; removedAt: Date | null; in?: string };
