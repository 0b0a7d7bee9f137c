import type { LoadCheck } from '#app/readings/weighings.ts';
import { describe, expect, test } from 'vitest';
import type { Admission } from '#app/people/good-standing.ts';
import { CHECKS } from '#app/policy/checks.ts';
import { CHECK_NAMES, FIRST_EVIDENCE_RULES, FIRST_POLICY, type CheckName } from '#app/policy/policy.ts';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { USUAL_DETAILS } from '#test/usual-details.ts';
import { USUAL_AXLES, type Axle } from '#app/vehicles/axle.ts';
import { lineThrough, type CalibrationLine, type FourReadings } from '#app/readings/calibration-line.ts';
import { checkVisit, heldBackBy, stateAtClose } from './visit-checks.ts';
import type { CheckAnswer, VisitAxle, VisitFacts } from './visit-facts.ts';

const RULES = { ...FIRST_POLICY, ...FIRST_EVIDENCE_RULES };
const ALL = USUAL_AXLES;

const four = (loadedVolt = '4.10', loadedWeight = '16500'): FourReadings => ({
  empty_volt: '1.20',
  empty_weight: '4200',
  loaded_volt: loadedVolt,
  loaded_weight: loadedWeight,
});
const line = (readings: FourReadings): CalibrationLine => {
  const found = lineThrough(readings);
  if (found === undefined) throw new Error('no line');
  return found;
};
const before = (readings: FourReadings, on = '2026-05-15') => ({ line: line(readings), on });
const LOADS: Partial<Record<Axle, string>> = { STEER: '6100', DRIVE: '16500' };
const axle = (name: Axle, more: Partial<VisitAxle> = {}): VisitAxle => {
  const readings = four('4.10', LOADS[name] ?? '20000');
  const reference = referenceOf(name, USUAL_DETAILS[name]);
  return { axle: name, readings, reference, before: [before(readings)], ...more };
};
const whole = (kg: number, given: number): LoadCheck => ({
  load: 'loaded',
  deck: ['STEER', 'DRIVE'],
  kg,
  isGross: true,
  weighing: 2,
  differenceKg: kg - given,
  allowedKg: 120,
  agrees: Math.abs(kg - given) <= 120,
});
const HONEST: VisitFacts = {
  visitedOn: '2026-11-20',
  recordedOn: '2026-11-20',
  dueOn: '2027-05-21',
  axles: ALL.map((name) => axle(name)),
  fitted: ALL,
  notBehind: [],
  isConfirmed: true,
  elsewhere: [],
  copied: null,
  hasNewVin: false,
  technician: [{ from: '2026-01-01', to: null, suspensions: [], licenceEndsOn: null }],
  reference: { isRegistered: true, isVerified: true, isWithdrawn: false },
  ticket: { isUsedTwice: false },
  photo: { isUsedTwice: false },
  loadChecks: [whole(42_180, 42_200)],
  seals: { found: '4471 unit', reason: '', before: { left: '4471 unit', on: '2026-05-03' } },
};
const admitted = (more: Partial<Admission>): Admission => ({
  from: '2026-01-01',
  to: null,
  suspensions: [],
  licenceEndsOn: null,
  ...more,
});
const changed = (name: Axle, more: Partial<VisitAxle>): VisitFacts['axles'] =>
  HONEST.axles.map((one) => (one.axle === name ? { ...one, ...more } : one));
const answerOf = (check: CheckName, more: Partial<VisitFacts>, rules = RULES) =>
  checkVisit({ ...HONEST, ...more }, rules).find((result) => result.check === check);

test('an honest visit passes every check, and counts', () => {
  const results = checkVisit(HONEST, RULES);
  expect(results.map(({ check }) => check)).toEqual(CHECK_NAMES);
  expect(results.filter(({ answer }) => answer !== 'passed')).toEqual([]);
  expect(stateAtClose(results, { everyVisitWaits: false })).toBe('counts');
  expect(stateAtClose(results, { everyVisitWaits: true })).toBe('waits');
});

const DRIFTED = four('3.50');
// The line before shows 4,200 and 13,954 kg at the volts of the new one, which are 4,200 and 16,500 kg.
const CASES: [CheckName, CheckAnswer, string, Partial<VisitFacts>, sentence: RegExp][] = [
  ['complete', 'failed', 'an axle is left out', { axles: HONEST.axles.slice(1) }, /^Steer has 0 of its 4 readings\.$/],
  [
    'complete',
    'failed',
    'a reading is missing',
    { axles: changed('DRIVE', { readings: { empty_volt: '1' } }) },
    /^Drive has 1 of its 4 readings\.$/,
  ],
  [
    'complete',
    'passed',
    'a steer-only truck',
    { axles: [axle('STEER')], fitted: ['STEER'] },
    /^The one axle group has its four readings: Steer\.$/,
  ],
  [
    'complete',
    'passed',
    'a trailer that was not behind the truck',
    { axles: [axle('STEER')], fitted: ['STEER', 'TRAILERA'], notBehind: ['TRAILERA'] },
    /^The one axle group has its four readings: Steer\. Not behind the truck: Trailer A\.$/,
  ],
  [
    'complete',
    'failed',
    'no group of the list was there',
    { axles: [axle('STEER')], fitted: ['TRAILERA'], notBehind: ['TRAILERA'] },
    /^No axle group of its list was there\.$/,
  ],
  ['complete', 'cannot be told', 'a first visit without a list', { fitted: [] }, /not known which axle groups/],
  ['interval', 'passed', 'the longest', { dueOn: '2027-11-21' }, /^Due 366 days after the visit \(limit 366 days\)\.$/],
  ['interval', 'passed', 'before the visit', { dueOn: '2026-11-17' }, /^Due 3 days before the visit\.$/],
  ['interval', 'failed', 'a day more', { dueOn: '2027-11-22' }, /^Due 367 days after/],
  ['interval', 'cannot be told', 'none', { dueOn: null }, /No due date/],
  ['truck', 'failed', 'nobody confirmed', { isConfirmed: false }, /Nobody confirmed/],
  ['truck', 'failed', 'a VIN on another record', { elsewhere: ['VIN'] }, /same VIN\.$/],
  ['truck', 'failed', 'both', { elsewhere: ['VIN', 'scale serial number'] }, /same VIN and scale serial number\.$/],
  ['truck', 'failed', 'another VIN than last time', { hasNewVin: true }, /not that of the last visit/],
  ['prompt', 'passed', 'a day without signal', { recordedOn: '2026-11-21' }, /^Recorded 1 day after the visit/],
  ['prompt', 'passed', 'a week', { recordedOn: '2026-11-27' }, /7 days/],
  [
    'prompt',
    'failed',
    'a day more',
    { recordedOn: '2026-11-28' },
    /^Recorded 8 days after the visit \(limit 7 days\)\.$/,
  ],
  ['prompt', 'passed', 'tomorrow, further east', { visitedOn: '2026-11-21' }, /on the day/],
  ['prompt', 'failed', 'a day to come', { visitedOn: '2026-11-22' }, /^Dated 2 days after it was recorded\.$/],
  [
    'plausible',
    'failed',
    'loads that are swapped',
    { axles: changed('STEER', { readings: four('4.1', '6.1') }) },
    /^Steer: the loaded weight, 6\.1\u00a0kg, is not more than the empty weight, 4,200\u00a0kg\.$/,
  ],
  [
    'plausible',
    'failed',
    'equal volts',
    { axles: changed('DRIVE', { readings: four('1.20') }) },
    /^Drive: .* volts are equal, 1\.20\u00a0V\.$/,
  ],
  [
    'plausible',
    'failed',
    'volts beyond 12',
    { axles: changed('DRIVE', { readings: four('41') }) },
    /^Drive: 41\u00a0V are not between 0 and 12\u00a0V\.$/,
  ],
  [
    'plausible',
    'failed',
    'over 40 t',
    { axles: changed('DRIVE', { readings: four('4.1', '41000') }) },
    /^Drive: a weight, 41,000\u00a0kg, is more than 40\u00a0t\.$/,
  ],
  ['plausible', 'failed', 'a copy', { copied: { isOwn: true, isExact: true } }, /of this truck .*digit for digit/],
  [
    'plausible',
    'failed',
    'within a step of another truck',
    { copied: { isOwn: false, isExact: false } },
    /^A visit of another truck has the same readings, each within 0\.01\u00a0V and 20\u00a0kg\.$/,
  ],
  [
    'plausible',
    'failed',
    'a tiny span',
    { axles: changed('DRIVE', { readings: { ...four(), loaded_weight: '5599' } }) },
    /^Drive: the empty weight, 4,200\u00a0kg, and the loaded one, 5,599\u00a0kg, are too near to each other for a line\.$/,
  ],
  [
    'plausible',
    'failed',
    'less than ten steps of the output',
    { axles: changed('DRIVE', { readings: four('1.29') }) },
    /^Drive: 1\.20 and 1\.29\u00a0V are less than ten steps of the output apart\.$/,
  ],
  [
    'plausible',
    'failed',
    'an empty truck lighter than trucks are',
    { axles: changed('DRIVE', { readings: { ...four(), empty_weight: '799' } }) },
    /^Drive: 799\u00a0kg is less than it can weigh empty\.$/,
  ],
  [
    'plausible',
    'failed',
    'an empty truck that weighs another weight',
    { axles: changed('DRIVE', { emptyBefore: { kg: '3651', on: '2026-05-15', notBehind: '' } }) },
    /^Drive: the empty weight, 4,200\u00a0kg, was 3,651\u00a0kg on 15 May 2026 \(limit 15\u00a0% and 300\u00a0kg\)\.$/,
  ],
  [
    'plausible',
    'passed',
    'an empty truck within the limit',
    { axles: changed('DRIVE', { emptyBefore: { kg: '3653', on: '2026-05-15', notBehind: '' } }) },
    /No reading/,
  ],
  [
    'plausible',
    'passed',
    'drive with another trailer behind, and the trailer',
    {
      axles: HONEST.axles.map((one) => ({
        ...one,
        ...(one.axle === 'STEER' ? {} : { emptyBefore: { kg: '2000', on: '2026-05-15', notBehind: '' } }),
        ...(one.axle === 'TRAILERA' ? { begins: 'other-trailer' as const } : {}),
      })),
    },
    /No reading/,
  ],
  ['plausible', 'cannot be told', 'no axle is whole', { axles: [axle('STEER', { readings: {} })] }, /No axle group/],
  [
    'agrees',
    'failed',
    'another line',
    { axles: changed('DRIVE', { before: [before(DRIFTED)] }) },
    /^Drive differs by 3,\d{3}\u00a0kg at 16,500\u00a0kg from 15 May 2026 \(limit 500\u00a0kg\)\. 3 of 4 axles agree with the calibration before\.$/,
  ],
  [
    'agrees',
    'failed',
    'unlike the one 90 days older',
    { axles: changed('DRIVE', { before: [before(four()), before(DRIFTED, '2025-11-20')] }) },
    /^Drive differs by .* from 20 November 2025/,
  ],
  [
    'agrees',
    'passed',
    'as found shows the same difference, up to twice the tolerance',
    { axles: changed('DRIVE', { before: [before(four('3.90'))], asFound: { empty: '4200', loaded: '17400' } }) },
    /^Drive: the scale was 900\u00a0kg out when found, and was adjusted\. Drive differs by 911\u00a0kg .* 3 of 4 axles agree /,
  ],
  [
    'agrees',
    'failed',
    'as found shows the same difference, beyond that',
    { axles: changed('DRIVE', { before: [before(DRIFTED)], asFound: { empty: '4200', loaded: '19700' } }) },
    /^Drive: the scale was 3,200\u00a0kg out when found, and was adjusted\. .* explain up to 1,000\u00a0kg\. 3 of 4 axles agree/,
  ],
  [
    'agrees',
    'failed',
    'twice the slope through the point of the reference mass',
    { axles: changed('DRIVE', { readings: { ...four(), empty_volt: '2.65' } }) },
    /^Drive differs by 6,\d{3}\u00a0kg at 4,200\u00a0kg from/,
  ],
  [
    'agrees',
    'failed',
    'twice the slope through the empty point',
    { axles: changed('DRIVE', { readings: four('2.65') }) },
    /^Drive differs by 6,\d{3}\u00a0kg at 16,500\u00a0kg from/,
  ],
  [
    'agrees',
    'passed',
    'a small difference',
    { axles: changed('DRIVE', { before: [before(four('4.12'))] }) },
    /^4 of 4 axles agree with the calibration before\. The largest difference: Drive differs by \d+\u00a0kg at .* \(limit 500\u00a0kg\)\.$/,
  ],
  [
    'agrees',
    'failed',
    'as found shows another',
    { axles: changed('DRIVE', { before: [before(DRIFTED)], asFound: { empty: '4200', loaded: '16500' } }) },
    /Drive/,
  ],
  [
    'agrees',
    'passed',
    'an exchanged trailer',
    { axles: changed('TRAILERA', { begins: 'other-trailer' }) },
    /^3 of 4 axles agree .* Trailer A: the technician says that another trailer is behind\.$/,
  ],
  [
    'agrees',
    'cannot be told',
    'a first visit',
    { axles: ALL.map((name) => axle(name, { before: [] })) },
    /^There is no calibration to compare it with\.$/,
  ],
  [
    'agrees',
    'cannot be told',
    'an exchanged trailer, where a group of the truck itself was not compared',
    {
      axles: changed('TRAILERA', { begins: 'other-trailer' }).map((one) =>
        one.axle === 'STEER' ? { ...one, before: [] } : one,
      ),
    },
    /^Steer: none before\. Trailer A: the technician says .* 2 of 4 axles agree with the calibration before\.$/,
  ],
  [
    'agrees',
    'cannot be told',
    'new sensors',
    { axles: [axle('STEER', { begins: 'sensor-replaced' }), axle('DRIVE', { before: [] })] },
    /^Steer: the technician says that the sensor was replaced\. Drive: none before\.$/,
  ],
  ['standing', 'passed', 'admitted on that day', { technician: [admitted({ from: '2026-11-20' })] }, /good standing/],
  [
    'standing',
    'failed',
    'admitted on the day after',
    { technician: [admitted({ from: '2026-11-21' })] },
    /^The registry is looking at this visit\.$/,
  ],
  [
    'standing',
    'failed',
    'suspended between visit and recording',
    { recordedOn: '2026-11-22', technician: [admitted({ suspensions: [{ from: '2026-11-21', to: null }] })] },
    /looking/,
  ],
  [
    'standing',
    'failed',
    'suspended on the day of the visit, and no longer',
    {
      recordedOn: '2026-11-22',
      technician: [admitted({ suspensions: [{ from: '2026-11-01', to: '2026-11-20' }] })],
    },
    /looking/,
  ],
  [
    'standing',
    'failed',
    'a licence that ended before the visit was recorded',
    { recordedOn: '2026-11-21', technician: [admitted({ licenceEndsOn: '2026-11-20' })] },
    /looking/,
  ],
  ['standing', 'cannot be told', 'a name of the former register', { technician: null }, /not known who/],
  [
    'load',
    'failed',
    'a light load',
    { axles: changed('DRIVE', { readings: four('3', '13199') }) },
    /^Loaded lightly: Drive to 13,199\u00a0kg \(limit 80\u00a0% of 16,500\u00a0kg\)\.$/,
  ],
  ['load', 'passed', 'just enough', { axles: changed('DRIVE', { readings: four('3', '13200') }) }, /80/],
  ['load', 'cannot be told', 'nothing whole', { axles: [axle('STEER', { readings: {} })] }, /No axle group/],
  [
    'reference',
    'passed',
    'verified to a day',
    { reference: { isRegistered: true, isVerified: true, isWithdrawn: false, verifiedTo: '2027-03-31' } },
    /to 31 March 2027, covers that day/,
  ],
  ['reference', 'failed', 'none', { reference: null }, /No weighbridge is named/],
  [
    'reference',
    'failed',
    'not verified',
    { reference: { isRegistered: true, isVerified: false, isWithdrawn: false } },
    /No verification/,
  ],
  [
    'reference',
    'failed',
    'withdrawn',
    { reference: { isRegistered: true, isVerified: true, isWithdrawn: true } },
    /was withdrawn/,
  ],
  [
    'reference',
    'cannot be told',
    'free text',
    { reference: { isRegistered: false, isVerified: false, isWithdrawn: false } },
    /not in the register/,
  ],
  ['ticket', 'failed', 'none', { ticket: null }, /No ticket number/],
  ['ticket', 'failed', 'used twice', { ticket: { isUsedTwice: true } }, /^This number is also recorded elsewhere\.$/],
  ['photo', 'failed', 'none', { photo: null }, /no photo/],
  ['photo', 'failed', 'used twice', { photo: { isUsedTwice: true } }, /same photo/],
  [
    'gross',
    'failed',
    'the whole beside the groups',
    { loadChecks: [whole(42_180, 42_200), whole(41_000, 42_200)] },
    /^Loaded: the groups give 42,200\u00a0kg, the ticket of the whole 41,000\u00a0kg: 1,200\u00a0kg apart \(limit 120/,
  ],
  [
    'seals',
    'failed',
    'another one on the unit',
    { seals: { found: '4471 unit', reason: '', before: { left: '4468 Unit', on: '2026-05-03' } } },
    /^The seal found on the unit \(4471\) is not the one left on 3 May 2026 \(4468\)\.$/,
  ],
  [
    'seals',
    'failed',
    'one more, and one fewer',
    { seals: { found: '4470', reason: 'replaced', before: { left: '4468 unit', on: '2026-05-03' } } },
    /^The seal found \(4470\) was not left on 3 May 2026\. The seal left on the unit on 3 May 2026 \(4468\) was not found\. The technician says: replaced by somebody else\.$/,
  ],
  [
    'seals',
    'cannot be told',
    'none found is named',
    { seals: { found: '', reason: '', before: { left: '4468 unit', on: '2026-05-03' } } },
    /does not say which seals were found/,
  ],
  [
    'seals',
    'cannot be told',
    'none left is known',
    { seals: { found: '4471 unit', reason: '', before: null } },
    /does not say which seals were left/,
  ],
];

describe('each check', () => {
  test.each(CASES)('%s %s: %s', (check, answer, _case, more, sentence) => {
    const result = answerOf(check, more);
    expect(result).toMatchObject({ check, answer });
    expect(result?.sentence).toMatch(sentence);
    expect(result?.sentence).toMatch(/^[A-Z0-9].*\.$/);
  });

  test('has a case that passes and one that does not', () => {
    for (const { check } of CHECKS) {
      expect(answerOf(check, {})?.answer).toBe('passed');
      expect(CASES.some(([name, answer]) => name === check && answer !== 'passed')).toBe(true);
    }
  });
});

describe('the state at the close follows from the answers and the policy', () => {
  // Prompt, reference and the rest cannot be untold in each way: the impossible cells.
  const NEVER_UNTOLD: CheckName[] = ['truck', 'prompt', 'ticket', 'photo', 'gross'];
  for (const { check } of CHECKS)
    for (const answer of ['passed', 'failed', 'cannot be told'] as const)
      for (const rule of ['must', 'noted', 'off'] as const) {
        if (answer === 'cannot be told' && NEVER_UNTOLD.includes(check)) continue;
        test(`${check} ${answer}, ${rule}`, () => {
          const more =
            answer === 'passed' ? {} : CASES.find(([name, given]) => name === check && given === answer)?.[3];
          expect(more).toBeDefined();
          const results = checkVisit({ ...HONEST, ...more }, RULES)
            // Alone: what else the case fails is another row.
            .filter((result) => result.check === check)
            .flatMap((result) => (rule === 'off' ? [] : [{ ...result, rule }]));
          const holds =
            rule === 'must' &&
            (answer === 'failed' || (answer === 'cannot be told' && ['complete', 'interval', 'truck'].includes(check)));
          expect(heldBackBy(results)).toEqual(holds ? [check] : []);
          expect(stateAtClose(results, { everyVisitWaits: false })).toBe(
            holds ? (check === 'complete' && answer === 'failed' ? 'partial' : 'waits') : 'counts',
          );
        });
      }

  test.each([
    ['a first line', { before: [] }, []],
    ['a replaced sensor that the technician names', { begins: 'sensor-replaced' as const }, ['agrees']],
    ['another trailer, where the truck’s own groups agree', { begins: 'other-trailer' as const }, []],
    [
      'another trailer, where one of them was adjusted',
      { begins: 'other-trailer' as const },
      ['agrees'],
      { before: [before(four('3.90'))], asFound: { empty: '4200', loaded: '17400' } },
    ],
  ])('%s holds back or not', (_case, trailer, held, drive: Partial<VisitAxle> = {}) => {
    const axles = HONEST.axles.map((one) =>
      one.axle === 'TRAILERA' ? { ...one, ...trailer } : one.axle === 'DRIVE' ? { ...one, ...drive } : one,
    );
    expect(heldBackBy(checkVisit({ ...HONEST, axles }, RULES))).toEqual(held);
  });

  test('a visit without weighings that follow from others has no gross check', () => {
    expect(answerOf('gross', { loadChecks: [] })).toBeUndefined();
  });

  test('a check that is switched off is not asked', () => {
    const rules = { ...RULES, checks: { ...RULES.checks, prompt: 'off' as const } };
    expect(answerOf('prompt', { recordedOn: '2027-01-01' }, rules)).toBeUndefined();
  });

  test('a missing reading beside another failure waits', () => {
    const results = checkVisit({ ...HONEST, axles: HONEST.axles.slice(1), isConfirmed: false }, RULES);
    expect(stateAtClose(results, { everyVisitWaits: false })).toBe('waits');
  });

  test.each(['must', 'noted', 'off'] as const)('a withdrawn reference holds back where the policy says %s', (rule) => {
    const facts = { ...HONEST, reference: { isRegistered: true, isVerified: true, isWithdrawn: true } };
    const results = checkVisit(facts, { ...RULES, checks: { ...RULES.checks, reference: rule } });
    expect(heldBackBy(results)).toEqual(['reference']);
    expect(stateAtClose(results, { everyVisitWaits: false })).toBe('waits');
  });
});
