import { expect, test } from 'vitest';
import { USUAL_DETAILS } from '#test/usual-details.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { measureAxles } from './axle-lines.ts';
import { CALIBRATION_ATTRIBUTES } from './calibration.ts';
import { groupReadings, type SetReading } from './calibration-set.ts';
import { calculate, presentLines } from './present-lines.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T01:00:00Z');
const NO_EXTRAS: Record<'check_volt' | 'check_weight' | 'as_found_empty' | 'as_found_loaded', string | null> = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
};

/** Empty volt, empty weight, loaded volt, loaded weight of the drive axle, on a day. */
function visit(day: number, values: readonly string[], more: Partial<SetReading> = {}): SetReading[] {
  return CALIBRATION_ATTRIBUTES.map(({ attribute }, place) => ({
    id: START + day * DAY + place,
    axle: 'DRIVE' as const,
    attribute,
    value: values[place] ?? '',
    calibratedAt: new Date(START + day * DAY + place),
    setId: null,
    visitId: null,
    technicianPersonId: 'jo',
    technicianName: 'Jo',
    technicianIsName: false,
    correctsId: null,
    supersededBy: null,
    ...more,
  })).filter(({ value }) => value !== '');
}
const extras = (id: string, more: Partial<typeof NO_EXTRAS>, sensor_replaced = false) => ({
  id,
  axles: [{ axle: 'DRIVE' as const, ...NO_EXTRAS, ...more, sensor_replaced, other_trailer: false }],
});
const measure = (readings: readonly SetReading[], recorded: ReturnType<typeof extras>[] = []) =>
  measureAxles(groupReadings(readings), recorded, { tolerance: FIRST_POLICY, details: USUAL_DETAILS });
const answers = (...given: Parameters<typeof measure>) =>
  (measure(...given).get('DRIVE') ?? []).map(({ agreement }) =>
    agreement.answer === 'not-enough-data' ? agreement.why : agreement.answer,
  );

const LINE = ['1', '4500', '4', '16500'];
const NEAR = ['1', '4600', '4', '16900'];
const FAR = ['1', '4100', '4', '14900'];

test('each line is held against the one before; visits without one are passed over', () => {
  expect(answers([...visit(0, LINE), ...visit(1, NEAR), ...visit(2, FAR)])).toEqual([
    'nothing-before',
    'consistent',
    'inconsistent',
  ]);
  expect(answers([...visit(0, LINE), ...visit(1, ['1', '4500', '4', '']), ...visit(2, NEAR)])).toEqual([
    'nothing-before',
    'no-line',
    'consistent',
  ]);
  // Equal volts: nothing refuses them if they are recorded one by one.
  expect(answers([...visit(0, LINE), ...visit(1, ['1', '4500', '1.0', '16500'])])).toEqual([
    'nothing-before',
    'no-line',
  ]);
});

test('a new sensor begins a new series', () => {
  const readings = [...visit(0, LINE), ...visit(1, FAR, { setId: 'b' }), ...visit(2, FAR)];
  expect(answers(readings, [extras('b', {}, true)])).toEqual(['nothing-before', 'sensor-replaced', 'consistent']);
  expect(answers(readings, [extras('b', {}, false)])).toEqual(['nothing-before', 'inconsistent', 'consistent']);
});

test('the newest line in words, with what its check load and as-found readings say', () => {
  const shown = presentLines(
    measure(
      [...visit(0, LINE), ...visit(1, ['1', '4600', '3', '12600'], { setId: 'b' })],
      [extras('b', { check_volt: '2', check_weight: '8500', as_found_empty: '4540', as_found_loaded: '12650' })],
    ),
    'Australia/Sydney',
  );
  expect(shown).toMatchObject({
    day: '2 January 2026',
    tolerance: 'Limit (rules version 1): 2\u00a0% or 500 kg, whichever is larger',
    lines: [{ axes: { volts: { from: 0, to: 4 }, tonnes: { from: 0, to: 20 } } }],
  });
  // 4000 kg/V and 600 kg: 8600 at 2 V, 100 kg or 1.18 % more than weighed. 12600 < 13200, so at 16500 an error counts
  // At 16500 kg the line before shows 100 kg less.
  expect(shown?.lines).toMatchObject([
    {
      label: 'Drive',
      slope: '4,000.0',
      offset: '600',
      span: '8,000',
      check: '+100 kg (1.2 %)',
      asFound: 'empty \u221260 kg (1.3 %), loaded +50 kg (0.4 %)',
      remarks: ['The truck was loaded too lightly to calibrate reliably at 16,500 kg.'],
      agreement: {
        word: 'Consistent',
        sentence: 'At 16,500 kg the two calibrations differ by 100 kg (limit 500 kg).',
      },
      points: [
        { read: 'Empty 1 V', weighed: '4,600 kg' },
        { read: 'Loaded 3 V', weighed: '12,600 kg' },
      ],
    },
  ]);
  // At 0 to 4 V over 34 to 236, and 0 to 20 t over 104 to 8.
  expect(shown?.lines[0]?.chart).toMatchObject({
    empty: { x: 84.5, y: 81.9 },
    loaded: { x: 185.5, y: 43.5 },
    check: 'M135 58.2l5 5l-5 5l-5 -5z',
    measured: 'M84.5 81.9L185.5 43.5',
    earlier: 'M84 82L236 24',
    carriedOn: 'M34 101.1L84.5 81.9M185.5 43.5L236 24.3',
  });
});

test('the five lines before the newest are drawn behind it, however many there are', () => {
  const visits = Array.from({ length: 9 }, (_, day) => visit(day, ['1', String(4500 + day * 10), '4', '16500']));
  const chart = presentLines(measure(visits.flat()), 'UTC')?.lines[0]?.chart;
  const ends = (day: number) => `M84.5 ${Math.round((104 - ((4.5 + day / 100) / 20) * 96) * 10) / 10}L236 24.8`;
  expect(chart?.earlier).toBe([3, 4, 5, 6, 7].map(ends).join('').replaceAll(/\.\d/g, ''));
  expect(chart?.measured).toBe(ends(8));
});

test('no line, nothing to show; values beyond every truck make wider axes, not a broken page', () => {
  expect(presentLines(measure(visit(0, ['1', '4500', '', ''])), 'UTC')).toBeNull();
  const wide = presentLines(measure(visit(0, ['-12', '4500', '47', '123456789012345'])), 'UTC');
  expect(wide?.lines[0]?.axes).toEqual({ volts: { from: -20, to: 50 }, tonnes: { from: 0, to: 200_000_000_000 } });
  expect(wide?.lines[0]?.chart.measured).toMatch(/^M[\d.]+ 104L[\d.]+ [\d.]+$/);
});

test('volts in, kilograms out, exactly; beyond the points it says so', () => {
  const series = measure([...visit(0, LINE), ...visit(0, NEAR, {}).map((one) => ({ ...one, axle: 'STEER' as const }))]);
  const asked = (drive: string, steer: string) => calculate(series, (axle) => (axle === 'DRIVE' ? drive : steer));
  // 4000 × 2.5 + 500, and 4100 × 4.001 + 500 = 16904.1
  expect(asked('2.5', '4.001')).toMatchObject({
    axles: [
      { axle: 'STEER', answer: '16,904 kg', remark: 'Outside the calibrated range.' },
      { axle: 'DRIVE', answer: '10,500 kg', remark: '' },
    ],
    // The sum of exact values, not of rounded ones: 27404.1
    total: '27,404 kg',
  });
  expect(asked('-1', '')).toMatchObject({
    axles: [{ answer: '' }, { answer: '\u22123,500 kg', remark: 'Outside the calibrated range.' }],
    total: null,
  });
  expect(asked('1e3', '<script>').axles.map(({ answer }) => answer)).toEqual([
    'Enter a number such as 3.18.',
    'Enter a number such as 3.18.',
  ]);
});
