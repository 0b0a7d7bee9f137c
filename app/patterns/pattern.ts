// The kinds of patterns, and what a look at one technician answers.

export const PATTERN_KINDS = [
  'copied-axle-sets',
  'same-as-before',
  'moved-a-step',
  'line-stays',
  'cannot-be-shown',
  'invented-volts',
  'invented-kilograms',
  'never-found-out',
  'found-as-left',
  'sensor-replaced',
  'other-trailer',
  'too-fast',
  'too-far',
  'ticket-twice',
  'photo-twice',
  'next-disagrees',
  'take-turns',
  'bunched-at-due',
] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** Visits that belong together, by id: the one concerned first, then those that it is held against. */
export type Finding = readonly string[];

/** Numbers that the page states beside n and p, by name. */
export type Facts = Readonly<Record<string, number>>;

export const FINDINGS_MAX = 50;

/** What one technician's records give for one pattern, before it is held against the others. */
export type Count = {
  /** Person id. */
  technician: string;
  /** Opportunities: visits, readings or pairs, as the method says of the pattern. */
  n: number;
  /** How many of them show the pattern. */
  hits: number;
  facts: Facts;
  /** What was found one by one; empty for a pattern of figures that only counts. */
  findings: Finding[];
};

/** `p`: the chance of as much, or more, under honesty. */
export type PatternTest = Readonly<Omit<Count, 'findings'>> & {
  pattern: PatternKind;
  p: number;
  findings: readonly Finding[];
};
