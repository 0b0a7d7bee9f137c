// The expected values were worked out by hand, before the code ran.
import { expect, test } from 'vitest';
import { USUAL_DETAILS } from '#test/usual-details.ts';
import { referenceOf } from './reference-masses.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { agreementOf, type Agreement } from './agreement.ts';
import {
  errorAt,
  isCarriedOn,
  lineThrough,
  isLowLoad,
  massAt,
  refusalsOf,
  voltsAt,
  warningsOf,
  type CalibrationLine,
  type FourReadings,
} from './calibration-line.ts';
import { divide, formatFraction, parseDecimal, whole } from './fraction.ts';

const four = (empty_volt: string, empty_weight: string, loaded_volt: string, loaded_weight: string): FourReadings => ({
  empty_volt,
  empty_weight,
  loaded_volt,
  loaded_weight,
});
type Four = readonly [string, string, string, string];
function line(...readings: Four): CalibrationLine {
  const made = lineThrough(four(...readings));
  if (made === undefined) throw new Error('no line');
  return made;
}
const kinds = (remarks: readonly { field: string; kind: string }[]) =>
  remarks.map(({ field, kind }) => `${field} ${kind}`);

test.each([
  // (15640 - 4820) / (3.18 - 0.92) = 10820 / 2.26 = 4787.610619…; 4820 - 4787.610619… × 0.92 = 415.398230…
  [['0.92', '4820', '3.18', '15640'], '4787.6106', '415.3982'],
  // 1940 / 0.62 = 3129.032258…; 3940 - 3129.032258… × 0.84 = 1311.612903…
  [['0.84', '3940', '1.46', '5880'], '3129.0323', '1311.6129'],
  // 12000 / 3 = 4000; 4500 - 4000 × 1 = 500
  [['1', '4500', '4', '16500'], '4000.0000', '500.0000'],
  // 10000 / 2.5 = 4000; 4000 - 4000 × 1.5 = -2000
  [['1.5', '4000', '4.0', '14000'], '4000.0000', '-2000.0000'],
  // Falling volts: 12000 / -3 = -4000; 4500 + 4000 × 4 = 20500
  [['4', '4500', '1', '16500'], '-4000.0000', '20500.0000'],
  // A volt below zero: 10000 / 2.5 = 4000; 4000 + 4000 × 0.5 = 6000
  [['-0.5', '4000', '2', '14000'], '4000.0000', '6000.0000'],
  // Halves of a kilogram: 0.5 / 0.25 = 2; 100.25 - 2 × 0.125 = 100
  [['0.125', '100.25', '0.375', '100.75'], '2.0000', '100.0000'],
] as const)('the line through %j', (readings: Four, slope: string, offset: string) => {
  const made = line(...readings);
  expect([formatFraction(made.slope, 4), formatFraction(made.offset, 4)]).toEqual([slope, offset]);
});

test('both points lie on their line exactly, whatever their digits', () => {
  const made = line('0.1', '0.3', '0.7', '999999999999999.123456789012345');
  for (const { volts, mass } of [made.empty, made.loaded])
    expect(formatFraction(massAt(made, volts), 15)).toBe(formatFraction(mass, 15));
  expect(formatFraction(voltsAt(made, parseDecimal('0.3')), 15)).toBe('0.100000000000000');
});

test('0.01 V of reading error is 48 kg on the line of the drive axle', () => {
  const drive = line('0.92', '4820', '3.18', '15640');
  // 4787.610619… × 0.01
  expect(formatFraction(massAt(drive, parseDecimal('2.01')), 1)).toBe('10038.5');
  expect(formatFraction(massAt(drive, parseDecimal('2.00')), 1)).toBe('9990.6');
});

test('a check load says how far the line is off, in kg and percent', () => {
  // 4000 × 2.5 + 500 = 10500, weighed 10400: +100 kg, +0.96 %.
  const made = line('1', '4500', '4', '16500');
  const { kg, percent } = errorAt(massAt(made, parseDecimal('2.5')), parseDecimal('10400'));
  expect([formatFraction(kg, 0), formatFraction(percent ?? whole(0), 2)]).toEqual(['100', '0.96']);
  const below = errorAt(massAt(made, parseDecimal('2.5')), parseDecimal('10500.4'));
  expect([formatFraction(below.kg, 1), formatFraction(below.percent ?? whole(0), 2)]).toEqual(['-0.4', '0.00']);
  expect(errorAt(whole(20), whole(0)).percent).toBeUndefined();
});

test('rounding is of halves away from zero, and never -0', () => {
  const half = (n: number) => divide(whole(n), whole(2));
  expect([5, -5, 1, -1, 0].map((n) => formatFraction(half(n), 0))).toEqual(['3', '-3', '1', '-1', '0']);
  expect(formatFraction(divide(whole(-1), whole(1000)), 2)).toBe('0.00');
  expect(formatFraction(divide(whole(1), whole(-3)), 3)).toBe('-0.333');
});

test('between the points is measured, beyond them carried on, also where the volts fall', () => {
  const at = (made: CalibrationLine) =>
    ['0.99', '1', '2', '4', '4.01'].map((volts) => isCarriedOn(made, parseDecimal(volts)));
  expect(at(line('1', '4500', '4', '16500'))).toEqual([true, false, false, false, true]);
  expect(at(line('4', '4500', '1', '16500'))).toEqual([true, false, false, false, true]);
});

const TANDEM = { kg: 16_500, isTyped: false };

test.each([
  ['16500', undefined],
  ['13200', undefined],
  ['13199.9', 16_500],
  ['6000', 16_500],
])('loaded at %s kg the drive axle is too light for %s kg', (loaded, reference) => {
  const readings = four('0.8', '4200', '3', loaded);
  expect(isLowLoad(TANDEM, line('0.8', '4200', '3', loaded))).toBe(reference !== undefined);
  expect(kinds(warningsOf('DRIVE', readings, TANDEM))).toEqual(
    reference === undefined ? [] : ['loaded_weight low-load'],
  );
  // Advice never exceeds the law: none is given while the axles are not known.
  expect(warningsOf('DRIVE', readings)).toEqual([]);
});

test.each([
  ['equal volts', four('1.50', '4000', '1.5', '14000'), ['loaded_volt equal-volts']],
  ['swapped loads', four('1', '14000', '3', '4000'), ['loaded_weight loads-swapped']],
  ['equal loads', four('1', '4000', '3', '4000.0'), ['loaded_weight loads-swapped']],
  ['both', four('1', '4000', '1', '3999.9'), ['loaded_volt equal-volts', 'loaded_weight loads-swapped']],
  ['nothing wrong', four('1', '4000', '3', '14000'), []],
  ['a part only', { empty_volt: '1', loaded_weight: '4000' }, []],
])('%s', (_case, readings, expected) => {
  expect(kinds(refusalsOf(readings))).toEqual(expected);
  // Exactly the refused readings have no line.
  expect(lineThrough({ ...four('1', '1', '2', '5000'), ...readings }) === undefined).toBe(expected.length > 0);
});

test.each([
  ['tonnes', four('1.0', '4.2', '3.0', '16.5'), ['empty_weight looks-like-tonnes', 'loaded_weight looks-like-tonnes']],
  ['one in tonnes', four('1.0', '4.2', '3.0', '16500'), ['empty_weight looks-like-tonnes']],
  ['a point for thousands', four('1.0', '3.940', '3.0', '16500'), ['empty_weight looks-like-tonnes']],
  ['volts without their point', four('1', '4200', '318', '16500'), ['loaded_volt volts-out-of-range']],
  ['volts below zero', four('-0.1', '4200', '3', '16500'), ['empty_volt volts-out-of-range']],
  ['12 V and 40 t', four('0', '4200', '12', '40000'), []],
  ['a zero too many', four('1.0', '4200', '3.0', '156400'), ['loaded_weight too-heavy']],
  ['800 kg', four('1.0', '800', '3.0', '16500'), []],
  ['less than a truck’s axle group weighs', four('1.0', '799', '3.0', '16500'), ['empty_weight too-light']],
  ['ten steps of hundredths', four('1.00', '4200', '1.10', '16500'), []],
  ['less than ten of them', four('1.00', '4200', '1.09', '16500'), ['loaded_volt few-volts']],
  [
    'less than ten of thousandths, downwards',
    four('1.009', '4200', '1.000', '16500'),
    ['loaded_volt negative-slope', 'loaded_volt few-volts'],
  ],
  ['less than ten tenths', four('1', '4200', '1.9', '16500'), ['loaded_volt few-volts']],
  ['a quarter of the load', four('1.0', '10500', '3.0', '14000'), []],
  ['less than a quarter of it', four('1.0', '10501', '3.0', '14000'), ['loaded_weight small-span']],
  ['falling volts', four('3.0', '4200', '1.0', '16500'), ['loaded_volt negative-slope']],
  [
    'all at once',
    four('3.0', '4.2', '1.0', '6000'),
    ['empty_weight looks-like-tonnes', 'loaded_volt negative-slope', 'loaded_weight low-load'],
  ],
])('%s is warned of', (_case, readings, expected) => {
  expect(kinds(warningsOf('DRIVE', readings, TANDEM))).toEqual(expected);
});

test('a steer axle needs a tenth of its load between the points, and a trailer may weigh little', () => {
  const steer = (empty: string) => kinds(warningsOf('STEER', four('1.0', empty, '2.0', '6000')));
  expect([steer('5400'), steer('5401')]).toEqual([[], ['loaded_weight small-span']]);
  expect(warningsOf('TRAILERA', four('1.0', '799', '3.0', '18000'))).toEqual([]);
});

test('each axle is held to its own mass', () => {
  const low = (axle: 'STEER' | 'TRAILERA', loaded: string) =>
    warningsOf(axle, four('1.0', '3000', '2.0', loaded), referenceOf(axle, USUAL_DETAILS[axle])).length;
  expect([low('STEER', '4800'), low('STEER', '4799'), low('TRAILERA', '16000'), low('TRAILERA', '15999')]).toEqual([
    0, 1, 0, 1,
  ]);
});

const told = (agreement: Agreement) =>
  agreement.answer === 'not-enough-data'
    ? agreement.answer
    : [agreement.answer, formatFraction(agreement.difference, 1), formatFraction(agreement.allowed, 0)];

test.each([
  // The new line reaches 16500 kg at 4 V. There the one before shows 4100 × 4 + 500 = 16900: 400 kg more.
  [line('1', '4600', '4', '16900'), ['consistent', '400.0', '500']],
  // 4125 × 4 + 500 = 17000: 500 kg more, exactly the limit.
  [line('1', '4625', '4', '17000'), ['consistent', '500.0', '500']],
  // 500.1 kg is above the limit.
  [line('1', '4625.1', '4', '17000.1'), ['inconsistent', '500.1', '500']],
  // 3600 × 4 + 500 = 14900: 1600 kg less.
  [line('1', '4100', '4', '14900'), ['inconsistent', '-1600.0', '500']],
])('against a line of 4000 kg/V and 500 kg', (before, expected) => {
  expect(
    told(agreementOf(line('1', '4500', '4', '16500'), before, { reference: TANDEM, tolerance: FIRST_POLICY })),
  ).toEqual(expected);
});

test('the larger of percent and kilograms is allowed', () => {
  const now = line('1', '4500', '4', '16500');
  const before = line('1', '4600', '4', '16900');
  // 2.5 % of 16500 = 412.5; 2.4 % = 396, less than the 400 kg that they differ by.
  const allowing = (tolerancePerMille: number, toleranceKg: number) =>
    told(agreementOf(now, before, { reference: TANDEM, tolerance: { version: 7, tolerancePerMille, toleranceKg } }));
  expect(allowing(25, 100)).toEqual(['consistent', '400.0', '413']);
  expect(allowing(24, 100)).toEqual(['inconsistent', '400.0', '396']);
  expect(allowing(24, 400)).toEqual(['consistent', '400.0', '400']);
});

test('without a reference mass lines are compared at the greater loaded point; a lesser typed one, or one that was far exceeded, changes nothing', () => {
  const [now, before] = [line('1', '4500', '4', '16500'), line('1', '4600', '4', '16900')];
  const at = (reference: { kg: number; isTyped: boolean } | undefined) => {
    const found = agreementOf(now, before, { reference, tolerance: FIRST_POLICY });
    return found.answer === 'not-enough-data' ? undefined : found.referenceKg;
  };
  expect([at(undefined), at({ kg: 1000, isTyped: true })]).toEqual([16_900, 16_900]);
  expect([at({ kg: 24_000, isTyped: true }), at({ kg: 16_000, isTyped: false })]).toEqual([24_000, 16_000]);
  expect(at({ kg: 9000, isTyped: false })).toBe(16_900);
});
