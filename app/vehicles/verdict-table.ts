// The verdicts: one list of intervals defines both `judge` and the SQL for filters and counts. It is apart from the
// rules in verdict.ts, with which each public page would load the whole calendar.
export type Verdict = 'valid' | 'due-soon' | 'overdue' | 'not-validated' | 'never-calibrated';

export type Interval = { from?: number; to?: number; orNone?: true };

/** The first row that fits decides. `dueIn`: the days from today to the due day; `soon`: the policy's `dueSoonDays`. */
export const VERDICTS = [
  { verdict: 'never-calibrated', word: 'Never calibrated', tick: false, calibrated: false },
  { verdict: 'not-validated', word: 'Not validated', tick: false, validated: false, calibrated: true },
  { verdict: 'overdue', word: 'Overdue', tick: false, validated: true, calibrated: true, dueIn: () => ({ to: -1 }) },
  {
    verdict: 'due-soon',
    word: 'Due soon',
    tick: true,
    validated: true,
    calibrated: true,
    dueIn: (soon: number) => ({ from: 0, to: soon }),
  },
  {
    verdict: 'valid',
    word: 'Valid',
    tick: true,
    validated: true,
    calibrated: true,
    dueIn: (soon: number) => ({ from: soon + 1, orNone: true }),
  },
] as const satisfies readonly {
  verdict: Verdict;
  word: string;
  tick: boolean;
  calibrated: boolean;
  /** Ticked, and a visit counts. */
  validated?: boolean;
  dueIn?: (soon: number) => Interval;
}[];
