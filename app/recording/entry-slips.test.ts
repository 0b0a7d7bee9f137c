import { expect, test } from 'vitest';
import { USUAL_TEXT } from '#test/usual-details.ts';
import { areConfirmed, everySlipOf, nextReading, slipsOf, type Reading } from './entry-slips.ts';

const drive = (attribute: Reading['attribute'], value: string): Reading => ({ axle: 'DRIVE', attribute, value });
const alone = (readings: Reading[] = []) => ({ readings, groupDetails: USUAL_TEXT });
const messages = (reading: Reading, beside: Reading[] = []) =>
  slipsOf(reading, alone(beside)).map(({ message }) => message);

test.each([
  [drive('Empty Volt', '318'), [], ['318 V is not between 0 and 12 V. Check the decimal point.']],
  [drive('Loaded Weight', '15.64'), [], ['15.64 kg looks like tonnes. Weights are in kilograms.']],
  // In the words of the form of all axles: it is not swapped with the one before.
  [
    drive('Loaded Weight', '16.08'),
    [drive('Empty Weight', '4820')],
    ['16.08 kg looks like tonnes. Weights are in kilograms.'],
  ],
  [drive('Loaded Weight', '156400'), [], ['156,400 kg is more than 40 t. Check the digits.']],
  [drive('Loaded Volt', '3.18'), [drive('Empty Volt', '0.92'), drive('Empty Weight', '4820')], []],
  [
    drive('Loaded Volt', '0.920'),
    [drive('Empty Volt', '0.92')],
    ['The loaded volts equal the empty volts. They must differ. Recorded before: Empty Volt 0.92\u00a0V.'],
  ],
  [
    drive('Empty Weight', '15640'),
    [drive('Loaded Weight', '15000')],
    [
      'The loaded weight must be more than the empty weight. Are the two swapped? Recorded before: Loaded Weight 15,000\u00a0kg.',
    ],
  ],
  [
    drive('Empty Volt', '3.18'),
    [drive('Loaded Volt', '0.92')],
    ['The volts go down as the load goes up. Are the two swapped? Recorded before: Loaded Volt 0.92\u00a0V.'],
  ],
  // No slip: the other reading is of another axle, has no value, or showed the same slip before this reading.
  [drive('Loaded Volt', '0.92'), [{ ...drive('Empty Volt', '0.92'), axle: 'STEER' as const }], []],
  [drive('Loaded Volt', '0.92'), [drive('Empty Volt', '')], []],
  [drive('Empty Weight', '4820'), [drive('Empty Volt', '318')], []],
])('%j beside %j', (reading, beside, expected) => {
  expect(messages(reading, beside)).toEqual(expected);
});

test('only what was seen is confirmed, and only at the value it was seen at', () => {
  const reading = drive('Empty Volt', '318');
  const slips = slipsOf(reading, alone());
  expect(areConfirmed(slips, '')).toBe(false);
  expect(areConfirmed(slips, null)).toBe(false);
  expect(areConfirmed(slips, slips[0]?.code)).toBe(true);
  expect(areConfirmed(slipsOf(drive('Empty Volt', '319'), alone()), slips[0]?.code)).toBe(false);
  expect(areConfirmed(slips, everySlipOf(reading))).toBe(true);
  expect(areConfirmed([], null)).toBe(true);
});

test('after an entry comes the axle’s next reading that is not recorded', () => {
  const first = drive('Empty Volt', '0.92');
  expect(nextReading(first, [])).toBe('Empty Weight');
  expect(nextReading(drive('Loaded Weight', '1'), [])).toBe('Empty Volt');
  expect(nextReading(drive('Empty Weight', '1'), [first])).toBe('Loaded Volt');
  expect(nextReading(first, [{ ...drive('Empty Weight', '1'), axle: 'STEER' }])).toBe('Empty Weight');
  const others = (['Empty Weight', 'Loaded Volt', 'Loaded Weight'] as const).map((one) => drive(one, '1'));
  expect(nextReading(first, others)).toBeUndefined();
});
