// Patterns that ask one question of each visit.
import { doesAgree, wasFoundWithin } from './agreement-numbers.ts';
import { addHit, countEach } from './count.ts';
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

/** Visits at which some axle was found out of tolerance. Anybody who invents as-found readings finds all well. */
export const countFoundOut = (sample: Sample, tolerance: SampleTolerance): Count[] =>
  countVisits(sample, ({ axles }) =>
    someFails(
      axles.map((axle) => wasFoundWithin(axle, tolerance)),
      'yes',
    ),
  );

/**
 * As-found readings equal to as-left ones to the digit at both loads of every group: either those of this visit (the
 * scale is said to be right to the kilogram) or those of the truck's visit before (the old certificate, typed again).
 */
export const countFoundAsLeft = (sample: Sample): Count[] =>
  countVisits(sample, (visit) => {
    const before = sample.before.get(visit);
    const asked = visit.axles.filter(({ foundEmpty, foundLoaded }) => foundEmpty !== null && foundLoaded !== null);
    if (asked.length === 0) return 'not asked';
    if (before !== undefined && asked.every((axle) => isFoundAs(axle, axleIn(before, axle.axle))))
      return { with: before };
    return asked.every((axle) => isFoundAs(axle, axle)) ? 'yes' : 'no';
  });

const isFoundAs = ({ foundEmpty, foundLoaded }: SampleAxle, left: SampleAxle | undefined): boolean =>
  foundEmpty === left?.emptyWeight && foundLoaded === left?.loadedWeight;

// 'Sensor replaced' and 'other trailer' begin a new series, and so spare a visit the question whether it agrees.
// Anybody who chooses them much more often than others deserves a look.
export const countSensorReplaced = (sample: Sample): Count[] =>
  countChanges(sample, ({ sensorReplaced }) => sensorReplaced);
export const countOtherTrailer = (sample: Sample): Count[] => countChanges(sample, ({ otherTrailer }) => otherTrailer);

const countChanges = (sample: Sample, isChanged: (axle: SampleAxle) => boolean): Count[] =>
  countVisits(sample, ({ axles }) => {
    if (axles.length === 0) return 'not asked';
    return axles.some(isChanged) ? 'yes' : 'no';
  });

/**
 * The truck's next visit, by somebody else, gives a line that disagrees with this one. Drift is honest too, and which
 * of the two is right is not known: a technician's share is held against that of all.
 */
export const countNextDisagrees = (sample: Sample, tolerance: SampleTolerance): Count[] =>
  countVisits(sample, (visit) => {
    const next = sample.next.get(visit);
    if (next === undefined || next.technician === visit.technician) return 'not asked';
    const unchanged = next.axles.filter(({ sensorReplaced, otherTrailer }) => !sensorReplaced && !otherTrailer);
    const agree = unchanged.map((later) => doesAgree(later, axleIn(visit, later.axle), tolerance));
    return someFails(agree, { with: next });
  });

/** `fails` where an axle group does; those of which nothing is known are not asked. */
function someFails(axles: readonly (boolean | undefined)[], fails: Answer): Answer {
  if (axles.includes(false)) return fails;
  return axles.includes(true) ? 'no' : 'not asked';
}
