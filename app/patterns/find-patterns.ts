// The nightly look at everything, and the look after a visit at what is cheap to ask.
import { listedUpTo, nightLevel } from './correction.ts';
import { KINDS, startCounting, usualIn } from './kinds.ts';
import { stepsOf } from './lattice.ts';
import type { UsualNumbers } from '#database/pattern-tables.ts';
import { PATTERN_KINDS, type PatternKind, type PatternTest } from './pattern.ts';
import type { Sample, SampleTolerance } from './sample.ts';

/** `night`: the day whose end is looked at ('YYYY-MM-DD'). */
export type Look = { night: string; tolerance: SampleTolerance };

export type Found = {
  /** One of each pattern and technician with enough data. */
  tests: readonly PatternTest[];
  /** Those of `tests` that the night lists. */
  listed: readonly PatternTest[];
  /** The night's level, and the largest p that is listed when a technician is alone with it: level / tests. */
  level: number;
  strictest: number;
  /** What is usual in this registry, for findForVisit. */
  usualNumbers: UsualNumbers;
};

export const findPatterns = (sample: Sample, { night, tolerance }: Look): Found =>
  findAtLevel(sample, { level: nightLevel(night), tolerance });

/** As findPatterns, at a level of one's own. */
export function findAtLevel(
  sample: Sample,
  { level, tolerance }: Pick<Found, 'level'> & Pick<Look, 'tolerance'>,
): Found {
  const counting = startCounting(sample, tolerance);
  const { usualNumbers } = counting;
  const looks = PATTERN_KINDS.flatMap((pattern) => {
    const counts = KINDS[pattern].count(sample, counting).filter(({ n }) => n > 0);
    const usual = usualIn(pattern, counts);
    if (usual === undefined) return [];
    usualNumbers.usual[pattern] = usual;
    return [{ pattern, counts, usual }];
  });
  // What cannot reach the level whatever it shows is not tested. That is decided by n alone, never by what was seen.
  const counted = looks.reduce((sum, { counts }) => sum + counts.length, 0);
  const gate = level / Math.max(1, counted);
  const tests = looks.flatMap(({ pattern, counts, usual }) =>
    counts
      .filter((count) => KINDS[pattern].least(count, usual) <= gate)
      .map((count): PatternTest => ({ pattern, ...count, p: KINDS[pattern].chance(count, usual) })),
  );
  const most = listedUpTo(
    tests.map(({ p }) => p),
    level,
  );
  const listed = tests.filter(({ p }) => p <= most).toSorted((a, b) => a.p - b.p);
  return { tests, listed, level, strictest: level / Math.max(1, tests.length), usualNumbers };
}

/** What one visit can show by itself. Rates and digits wait for the night. */
export const ASKED_AT_ONCE = [
  'copied-axle-sets',
  'same-as-before',
  'too-fast',
  'too-far',
  'ticket-twice',
  'photo-twice',
] as const satisfies readonly PatternKind[];

/**
 * What this visit adds: findings that name it, and the chance of all that its technician shows. `sample`: his visits of
 * the window, and those of others with the same readings, photo, ticket or truck. `usualNumbers`: of the last night. It
 * lists nothing: the night does, at its level.
 */
export function findForVisit(sample: Sample, visit: string, { tolerance, usualNumbers }: VisitLook): PatternTest[] {
  const steps = stepsOf(sample);
  const technician = sample.visits.find(({ id }) => id === visit)?.technician;
  return ASKED_AT_ONCE.flatMap((pattern) => {
    const usual = usualNumbers.usual[pattern];
    const counts = KINDS[pattern].count(sample, { tolerance, usualNumbers, steps });
    const count = counts.find((one) => one.technician === technician);
    const findings = count?.findings.filter((finding) => finding.includes(visit)) ?? [];
    if (usual === undefined || count === undefined || findings.length === 0) return [];
    return { pattern, ...count, findings, p: KINDS[pattern].chance(count, usual) };
  });
}

export type VisitLook = { tolerance: SampleTolerance; usualNumbers: UsualNumbers };
