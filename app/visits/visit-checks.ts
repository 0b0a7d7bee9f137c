// The checks that a visit is held against when it closes: a closed list. Each is a pure function of what is known at
// that moment, and answers with a sentence that anyone may read. The policy says which of them must be passed, and
// `stateAtClose` derives the visit's state from the answers.
import { isInGoodStanding } from '#app/people/good-standing.ts';
import { daysBetween, formatDay } from '#app/platform/time/calendar.ts';
import { CHECKS } from '#app/policy/checks.ts';
import { days, type CheckName, type EvidenceRules } from '#app/policy/policy.ts';
import type { Tolerance } from '#app/readings/agreement.ts';
import { judgeAgreement, kg, lineOf } from './agrees-check.ts';
import { judgeGross } from './gross-check.ts';
import { judgePlausible } from './plausible-check.ts';
import { judgeSeals } from './seals-check.ts';
import type { CheckNumbers, CheckResult, Checked, VisitFacts } from './visit-facts.ts';
import { axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { isLowLoad } from '#app/readings/calibration-line.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { whole } from '#app/readings/fraction.ts';

type Rules = EvidenceRules & Tolerance;

// 'Steer has 3 of its 4 readings, Drive 0.'
const missingWords = (short: readonly { axle: Axle; count: number }[]): string =>
  `${short
    .map(({ axle, count }, place) => `${axleLabel(axle)} ${place === 0 ? `has ${count} of its 4 readings` : count}`)
    .join(', ')}.`;

const MISSING: CheckNumbers = { isMissing: true };

// Undefined: the visit has nothing that it asks of.
const JUDGES: Record<CheckName, (facts: VisitFacts, rules: Rules) => Checked | undefined> = {
  complete({ fitted, notBehind, axles }) {
    if (fitted.length === 0)
      return ['cannot be told', 'It is not known which axle groups of this truck carry a sensor.'];
    const there = fitted.filter((axle) => !notBehind.includes(axle));
    const short = there.flatMap((axle) => {
      const readings = axles.find((one) => one.axle === axle)?.readings ?? {};
      const count = READING_FIELDS.filter(({ field }) => readings[field] !== undefined).length;
      return count === 4 ? [] : [{ axle, count }];
    });
    if (short.length > 0) return ['failed', missingWords(short), { groups: short.map(({ axle }) => axle) }];
    if (there.length === 0) return ['failed', 'No axle group of its list was there.'];
    const all = there.length === 1 ? 'The one axle group has its' : `All ${there.length} axle groups have their`;
    const away = notBehind.length === 0 ? '' : ` Not behind the truck: ${named(notBehind)}.`;
    return ['passed', `${all} four readings: ${named(there)}.${away}`];
  },
  interval({ dueOn, visitedOn }, { longestIntervalDays }) {
    if (dueOn === null) return ['cannot be told', 'No due date is stated.'];
    const interval = daysBetween(visitedOn, dueOn);
    const words =
      interval < 0
        ? `Due ${days(-interval)} before the visit.`
        : `Due ${days(interval)} after the visit (limit ${days(longestIntervalDays)}).`;
    return [interval <= longestIntervalDays ? 'passed' : 'failed', words];
  },
  truck({ isConfirmed, elsewhere, hasNewVin }) {
    if (!isConfirmed) return ['failed', 'Nobody confirmed that rego and VIN were read on the truck.'];
    if (elsewhere.length > 0) return ['failed', `Another record has the same ${elsewhere.join(' and ')}.`];
    if (hasNewVin) return ['failed', 'The VIN is not that of the last visit that counts.'];
    return ['passed', 'Rego and VIN were read on the truck, and no other record has them.'];
  },
  prompt({ visitedOn, recordedOn, weighedOn = visitedOn }, { promptDays }) {
    // A technician east of the registry's zone may already have tomorrow's date.
    const late = daysBetween(visitedOn, recordedOn);
    const since = daysBetween(weighedOn, recordedOn);
    if (since > late && since > promptDays)
      return ['failed', `Recorded ${days(since)} after its last weighing (limit ${days(promptDays)}).`];
    if (late < -1) return ['failed', `Dated ${days(-late)} after it was recorded.`];
    return [
      late <= promptDays ? 'passed' : 'failed',
      late <= 0
        ? 'Recorded on the day of the visit.'
        : `Recorded ${days(late)} after the visit (limit ${days(promptDays)}).`,
    ];
  },
  plausible: judgePlausible,
  agrees: ({ axles }, rules) => judgeAgreement(axles, rules),
  standing({ technician, captor, visitedOn, recordedOn }) {
    if (technician === null) return ['cannot be told', 'It is not known who calibrated.'];
    const people = captor === undefined ? [technician] : [technician, captor];
    return people.every((one) => isInGoodStanding(one, visitedOn) && isInGoodStanding(one, recordedOn))
      ? ['passed', 'The technician was admitted and in good standing.']
      : ['failed', 'The registry is looking at this visit.'];
  },
  load({ axles }) {
    const read = axles.flatMap(({ axle, readings, reference }) => {
      const line = lineOf(readings);
      return line === undefined ? [] : [{ axle, line, reference }];
    });
    const light = read.flatMap(({ axle, line, reference }) => {
      if (reference === undefined || !isLowLoad(reference, line)) return [];
      const limit = `limit 80\u00a0% of ${kg(whole(reference.kg))}`;
      return [{ axle, words: `${axleLabel(axle)} to ${kg(line.loaded.mass)} (${limit})` }];
    });
    if (light.length > 0) {
      const words = `Loaded lightly: ${light.map((one) => one.words).join(', ')}.`;
      return ['failed', words, { groups: light.map(({ axle }) => axle) }];
    }
    if (read.length === 0) return ['cannot be told', 'No axle group has all its readings.'];
    const unknown = read.filter(({ reference }) => reference === undefined).map(({ axle }) => axle);
    return unknown.length > 0
      ? ['cannot be told', `The reference mass is not known: ${named(unknown)}.`]
      : ['passed', 'Each axle group was loaded to 80\u00a0% of its reference mass or more.'];
  },
  reference({ reference }) {
    if (reference === null) return ['failed', 'No weighbridge is named.', MISSING];
    if (!reference.isRegistered) return ['cannot be told', 'The weighbridge is not in the register.'];
    const { isWithdrawn, withdrawnFor = 'that day', isVerified, verifiedTo: until } = reference;
    if (isWithdrawn) return ['failed', `The reference it was weighed on was withdrawn for ${withdrawnFor}.`];
    if (!isVerified) return ['failed', 'No verification of the weighbridge covers that day.'];
    return until == null
      ? ['passed', 'A verification of the weighbridge covers that day.']
      : ['passed', `A verification of the weighbridge, to ${formatDay(until)}, covers that day.`, { until }];
  },
  ticket({ ticket }) {
    if (ticket === null) return ['failed', 'No ticket number is given.', MISSING];
    return ticket.isUsedTwice
      ? ['failed', 'This number is also recorded elsewhere.']
      : ['passed', 'No other visit at that weighbridge has this ticket number.'];
  },
  photo({ photo }) {
    if (photo === null) return ['failed', 'There is no photo.', MISSING];
    return photo.isUsedTwice
      ? ['failed', 'Another visit has the same photo.']
      : ['passed', 'No other visit has this photo.'];
  },
  gross: ({ loadChecks = [] }) => judgeGross(loadChecks),
  seals: judgeSeals,
};

/**
 * Holds a visit against every check that `policy` has not switched off, in the order of the list. A withdrawn reference
 * is a 'must' whatever the policy.
 */
export function checkVisit(facts: VisitFacts, policy: Rules): CheckResult[] {
  return CHECKS.flatMap(({ check }) => {
    const isWithdrawn = check === 'reference' && facts.reference?.isWithdrawn === true;
    const rule = isWithdrawn ? 'must' : policy.checks[check];
    if (rule === 'off') return [];
    const judged = JUDGES[check](facts, policy);
    if (judged === undefined) return [];
    const [answer, sentence, numbers] = judged;
    return [{ check, rule, answer, sentence, ...(numbers === undefined ? {} : { numbers }) }];
  });
}

const named = (axles: readonly Axle[]): string => axles.map(axleLabel).join(', ');

/** As pages name it. */
export const checkName = (check: CheckName): string => CHECKS.find((known) => known.check === check)?.name ?? check;

/** The checks that hold the visit back. */
export function heldBackBy(results: readonly CheckResult[]): CheckName[] {
  return results
    .filter(({ check, rule, answer, numbers }) => {
      if (rule !== 'must' || answer === 'passed') return false;
      if (answer === 'failed' || numbers?.claim !== undefined) return true;
      return CHECKS.some((known) => known.check === check && 'unknownHolds' in known);
    })
    .map(({ check }) => check);
}

/**
 * The state of a visit that closes. Partial: nothing but a missing reading held it back, so nobody needs to look at it.
 */
export function stateAtClose(
  results: readonly CheckResult[],
  { everyVisitWaits }: Pick<EvidenceRules, 'everyVisitWaits'>,
): 'counts' | 'partial' | 'waits' {
  const held = heldBackBy(results);
  const isIncomplete = results.some(({ check, answer }) => check === 'complete' && answer === 'failed');
  const others = results.filter(({ check }) => check !== 'complete' && held.includes(check));
  const isHeld = isIncomplete && held.includes('complete');
  // A replaced sensor of the one axle that was repaired holds back what does not count anyway.
  if (isHeld && others.every(({ answer, numbers }) => answer !== 'failed' && numbers?.claim !== undefined))
    return 'partial';
  return held.length > 0 || everyVisitWaits ? 'waits' : 'counts';
}
