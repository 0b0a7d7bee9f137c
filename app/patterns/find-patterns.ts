// The nightly look at everything, and the look after a visit at what is cheap to ask.
import type { Columns } from './columns.ts';
import { listedUpTo, nightLevel } from './correction.ts';
import { KINDS, spreadIn, startGround, type Ground } from './kinds.ts';
import { ENOUGH, METHOD } from './method.ts';
import { PATTERN_KINDS, type Count, type NotEnough, type PatternKind, type PatternTest } from './pattern.ts';
import { FEWEST_OTHERS, usualRate, type Usual } from './rates.ts';
import type { SampleTolerance } from './sample.ts';
import { neededN, noShares, type Spread } from './statistics.ts';

/** `night`: the day whose end is looked at ('YYYY-MM-DD'). */
export type Look = { night: string; tolerance: SampleTolerance };

export type Found = {
  /** One of each pattern and technician with enough data. */
  tests: readonly PatternTest[];
  /** Those of `tests` that the night lists. */
  listed: readonly PatternTest[];
  notEnough: readonly NotEnough[];
  /** The night's level, and the largest p that is listed when a technician is alone with it: level / tests. */
  level: number;
  strictest: number;
  /** What is usual in this registry, for findForVisit. */
  ground: Ground;
};

export const findPatterns = (columns: Columns, { night, tolerance }: Look): Found =>
  findAtLevel(columns, { level: nightLevel(night), tolerance });

/** As findPatterns, at a level of one's own. */
export function findAtLevel(
  columns: Columns,
  { level, tolerance }: Pick<Found, 'level'> & Pick<Look, 'tolerance'>,
): Found {
  const ground = startGround(columns);
  const looks = PATTERN_KINDS.map((pattern) => {
    const { count, rule } = KINDS[pattern];
    const counts = count(columns, { tolerance, ground });
    const usual = rule === undefined ? NOBODY : usualRate(counts, rule);
    ground.sums[pattern] = usual.sums;
    return { pattern, counts: counts.filter(({ n }) => n > 0), usual };
  });
  // What cannot reach the level whatever it shows is not tested. That is decided by n alone, never by what was seen.
  const counted = looks.reduce((sum, { counts }) => sum + counts.length, 0);
  const gate = level / Math.max(1, counted);
  const tests: PatternTest[] = [];
  const notEnough: NotEnough[] = [];
  for (const { pattern, counts, usual } of looks) {
    let needed: number | undefined;
    let isNeededKnown = false;
    for (const count of counts) {
      const p = isTestable(pattern, count, { usual, gate }) ? KINDS[pattern].chance(count, usual) : undefined;
      const looked = lookedAt(columns, pattern, count);
      if (p !== undefined) {
        tests.push({ ...looked, p });
        continue;
      }
      if (!isNeededKnown) needed = neededIn(ground, pattern, gate);
      isNeededKnown = true;
      notEnough.push({ ...looked, needed });
    }
  }
  const most = listedUpTo(
    tests.map(({ p }) => p),
    level,
  );
  const listed = tests.filter(({ p }) => p <= most).toSorted((a, b) => a.p - b.p);
  return { tests, listed, notEnough, level, strictest: level / Math.max(1, tests.length), ground };
}

const NOBODY: Usual = { sums: noShares, from: new Set() };

function isTestable(pattern: PatternKind, count: Count, { usual, gate }: { usual: Usual; gate: number }): boolean {
  const least = KINDS[pattern].least(count, usual);
  return least !== undefined && least <= gate;
}

/** The n that is enough: the effect that the method names is found with the chance ENOUGH, alone at `level`. */
export const neededOf = (pattern: PatternKind, level: number, spread: Spread): number | undefined =>
  neededN(ENOUGH, (n) => KINDS[pattern].power(n, METHOD[pattern].effect, level, spread), MOST_N);

// Too few others, and nobody can say what is enough.
function neededIn(ground: Ground, pattern: PatternKind, level: number): number | undefined {
  const { rule } = KINDS[pattern];
  const people = ground.sums[pattern]?.people ?? 0;
  if (rule !== undefined && !rule.isSlip && people < FEWEST_OTHERS) return undefined;
  return neededOf(pattern, level, spreadIn(ground, pattern));
}

/** More than anybody records in a year. */
const MOST_N = 5000;

const lookedAt = ({ technicians }: Columns, pattern: PatternKind, count: Count): Omit<PatternTest, 'p'> => ({
  pattern,
  technician: technicians[count.technician] ?? '',
  n: count.n,
  hits: count.hits,
  facts: count.facts ?? {},
  findings: count.findings,
});

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
 * What this visit adds: findings that name it, and the chance of all that its technician shows. `columns`: his visits of the
 * window, and those of others with the same readings, photo, ticket or truck. `ground`: of the last night. It lists nothing:
 * the night does, at its level.
 */
export function findForVisit(columns: Columns, visit: string, { tolerance, ground }: VisitLook): PatternTest[] {
  const place = columns.ids.indexOf(visit);
  const technician = columns.technician[place];
  if (technician === undefined) return [];
  return ASKED_AT_ONCE.flatMap((pattern) => {
    const sums = ground.sums[pattern] ?? noShares;
    const count = KINDS[pattern].count(columns, { tolerance, ground })[technician];
    const findings = count?.findings.filter((finding) => finding.includes(visit)) ?? [];
    if (count === undefined || findings.length === 0) return [];
    const p = KINDS[pattern].chance(count, { sums, from: new Set() });
    return p === undefined ? [] : [{ ...lookedAt(columns, pattern, count), findings, p }];
  });
}

export type VisitLook = { tolerance: SampleTolerance; ground: Ground };
