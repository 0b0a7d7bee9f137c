// Patterns that ask one question of each visit.
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import { besideLine, wasFoundWithin } from './agreement-numbers.ts';
import { addHit, countEach } from './count.ts';
import { isShown, type Steps } from './lattice.ts';
import type { Count } from './pattern.ts';
import {
  axleIn,
  isOneWeighing,
  isSameWhole,
  type Sample,
  type SampleAxle,
  type SampleTolerance,
  type SampleVisit,
} from './sample.ts';
import { usualOf } from './usual.ts';

/** No opportunity; no; yes; yes, held against that visit. */
type Answer = 'not asked' | 'no' | 'yes' | { with: SampleVisit };

const countVisits = (sample: Sample, ask: (visit: SampleVisit) => Answer): Count[] =>
  countEach(sample, (count, visits) => {
    for (const visit of visits) {
      const answer = ask(visit);
      if (answer === 'not asked') continue;
      count.n += 1;
      if (answer !== 'no') addHit(count, answer === 'yes' ? [visit] : [visit, answer.with]);
    }
  });

/**
 * This truck's visit before, repeated to the digit: all values of all groups, two groups or more. Recording one
 * weighing twice is a slip, so the visits lie at least a day apart, and slips as common as with the others are allowed
 * for.
 */
export const countSameAsBefore = (sample: Sample): Count[] =>
  countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    if (before === undefined || visit.axles.length < 2 || isOneWeighing(visit, before)) return 'not asked';
    return isSameWhole(visit, before) ? { with: before } : 'no';
  });

/** A step of a display, and of a weighbridge, where the visit's own is finer. */
const LEAST_STEP = { volts: 1, kilograms: 20 };

/**
 * This truck's visit before with each reading moved by a step at most: a stable truck repeats itself, but seldom so.
 */
export const countMovedAStep = (sample: Sample, steps: ReadonlyMap<SampleVisit, Steps>): Count[] =>
  countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    if (before === undefined || visit.axles.length < 2 || isOneWeighing(visit, before)) return 'not asked';
    if (isSameWhole(visit, before) || visit.axles.length !== before.axles.length) return 'no';
    const volts = Math.max(LEAST_STEP.volts, steps.get(visit)?.volts ?? 0);
    const kg = Math.max(LEAST_STEP.kilograms, steps.get(visit)?.ofPlace ?? 0);
    const isMoved = visit.axles.every((axle) => {
      const earlier = axleIn(before, axle.axle);
      return (
        earlier !== undefined &&
        Math.abs(axle.emptyVolt - earlier.emptyVolt) <= volts &&
        Math.abs(axle.loadedVolt - earlier.loadedVolt) <= volts &&
        Math.abs(axle.emptyWeight - earlier.emptyWeight) <= kg &&
        Math.abs(axle.loadedWeight - earlier.loadedWeight) <= kg
      );
    });
    return isMoved ? { with: before } : 'no';
  });

/** A line so near to the one before is as good as computed from it. */
const ON_LINE_KG = 25;

/**
 * The loaded weights of all groups lie on the truck's line before: chosen so that the line stays, or a truck that
 * hardly drifts. Only of visits 60 days after the one before, and of those that begin no new series.
 */
export const countLineStays = (sample: Sample): Count[] =>
  countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    if (before === undefined || visit.axles.length < 2 || visit.at - before.at < SOON_MS) return 'not asked';
    if (visit.axles.some(({ sensorReplaced, otherTrailer }) => sensorReplaced || otherTrailer)) return 'not asked';
    const beside = visit.axles.map((axle) => besideLine(axle, axleIn(before, axle.axle)));
    if (beside.includes(undefined) || isSameWhole(visit, before)) return 'not asked';
    return beside.every((kg) => (kg ?? Infinity) <= ON_LINE_KG) ? { with: before } : 'no';
  });

const DUE_DAYS = 2;
const DAY_MS = 86_400_000;

/** Who comes so many days before or after is one of those who come about when it is due. */
const ABOUT_DAYS = 15;

/**
 * Of the visits about when the one before fell due, those on that day or in the two days before. Anybody who plans most
 * visits so is let pass.
 */
export const countBunchedAtDue = (sample: Sample): Count[] =>
  countVisits(sample, (visit) => {
    const due = sample.before.get(visit)?.dueAt;
    if (due === undefined) return 'not asked';
    const daysBefore = Math.floor(due / DAY_MS) - Math.floor(visit.at / DAY_MS);
    if (Math.abs(daysBefore) > ABOUT_DAYS) return 'not asked';
    return daysBefore >= 0 && daysBefore <= DUE_DAYS ? 'yes' : 'no';
  }).map(unlessTrade);

/**
 * A weight that the weighbridge cannot show, nor a mean of two or three weighings on it, by its step in the register.
 * That is asked of whoever wrote it. Where most of those who weigh there write such weights the register is wrong, and
 * nobody is asked.
 */
export const countCannotBeShown = (sample: Sample, steps: ReadonlyMap<SampleVisit, Steps>): Count[] =>
  countVisits(sample, (visit) => {
    const step = steps.get(visit)?.ofPlace;
    if (step === undefined || visit.axles.length === 0) return 'not asked';
    return isShown(visit, step) ? 'no' : 'yes';
  });

/** A scale that was adjusted so many days ago has hardly drifted. */
const SOON_MS = 60 * 86_400_000;

/** Visits at which some axle was found out of tolerance. Anybody who invents as-found readings finds all well. */
export const countFoundOut = (sample: Sample, tolerance: SampleTolerance): Count[] =>
  countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    if (before !== undefined && visit.at - before.at < SOON_MS) return 'not asked';
    return someFails(
      visit.axles.map((axle) => wasFoundWithin(axle, tolerance)),
      'yes',
    );
  });

/**
 * As-found readings equal to as-left ones to the digit at both loads of every group: either those of this visit (the
 * scale is said to be right to the kilogram) or those of the truck's visit before (the old certificate, typed again).
 * facts.near: how often the others find a scale so near that an honest person may write what was left.
 */
export function countFoundAsLeft(sample: Sample): Count[] {
  const counts = countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    const asked = visit.axles.filter(hasFound);
    if (asked.length === 0) return 'not asked';
    if (before !== undefined && asked.every((axle) => isFoundAs(axle, axleIn(before, axle.axle))))
      return { with: before };
    return asked.every((axle) => isFoundAs(axle, axle)) ? 'yes' : 'no';
  });
  const near = countVisits(sample, ({ axles }) => {
    const asked = axles.filter(hasFound);
    if (asked.length === 0) return 'not asked';
    return asked.every((axle) => isNear(axle)) ? 'yes' : 'no';
  });
  const usual = usualOf(near, { side: 'more', isSlip: false });
  for (const count of counts) count.facts = { near: usual?.mean ?? 0 };
  return counts;
}

const hasFound = ({ foundEmpty, foundLoaded }: SampleAxle): boolean => foundEmpty !== null && foundLoaded !== null;

/** So near, somebody may write what was left. */
const NEAR_KG = 100;

const isNear = ({ foundEmpty, foundLoaded, emptyWeight, loadedWeight }: SampleAxle): boolean =>
  Math.abs((foundEmpty ?? 0) - emptyWeight) < NEAR_KG && Math.abs((foundLoaded ?? 0) - loadedWeight) < NEAR_KG;

const isFoundAs = ({ foundEmpty, foundLoaded }: SampleAxle, left: SampleAxle | undefined): boolean =>
  foundEmpty === left?.emptyWeight && foundLoaded === left?.loadedWeight;

// 'Sensor replaced' and 'other trailer' begin a new series, and so spare a visit the question whether it agrees.
// Anybody who chooses them much more often than others deserves a look. At most of somebody's visits it is their trade:
// a workshop that repairs, a fleet that changes trailers. That cannot be told from a claim, and is not asked.
export const countSensorReplaced = (sample: Sample): Count[] =>
  countChanges(sample, { groups: AXLES.map(({ axle }) => axle), isChanged: ({ sensorReplaced }) => sensorReplaced });
export const countOtherTrailer = (sample: Sample): Count[] =>
  countChanges(sample, { groups: ['TRAILERA', 'TRAILERB'], isChanged: ({ otherTrailer }) => otherTrailer });

/** More of their visits are a trade. */
const TRADE = 0.5;

const countChanges = (
  sample: Sample,
  { groups, isChanged }: { groups: readonly Axle[]; isChanged: (axle: SampleAxle) => boolean },
): Count[] =>
  countVisits(sample, ({ axles }) => {
    const asked = axles.filter(({ axle }) => groups.includes(axle));
    if (asked.length === 0) return 'not asked';
    return asked.some(isChanged) ? 'yes' : 'no';
  }).map(unlessTrade);

const unlessTrade = (count: Count): Count =>
  count.hits > count.n * TRADE ? { ...count, n: 0, hits: 0, findings: [] } : count;

/** `fails` where an axle group does; those of which nothing is known are not asked. */
function someFails(axles: readonly (boolean | undefined)[], fails: Answer): Answer {
  if (axles.includes(false)) return fails;
  return axles.includes(true) ? 'no' : 'not asked';
}
