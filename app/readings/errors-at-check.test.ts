// From a visit's readings, check loads and weighings to its errors: the step, the readings of the deck, the whole.
import { expect, test } from 'vitest';
import { errorSentence, errorNotes, errorCard } from '#app/visits/error-words.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { formatFraction } from './fraction.ts';
import { worstOf, type ToldError } from './errors-at-check.ts';
import type { SetReading } from './calibration-set.ts';
import { errorsOfVisit } from './visit-errors.ts';
import { weighingsText, type Weighing } from './weighings.ts';
import type { AxleExtras } from './set-grid.ts';
import type { Axle } from '#app/vehicles/axle.ts';

const ID = 'visit-1';
const NONE = { as_found_empty: null, as_found_loaded: null, sensor_replaced: false, other_trailer: false };

type Group = {
  axle: Axle;
  read: [string, string, string, string];
  check?: [volt: string, weight: string];
  more?: AxleExtras['more_checks'];
};

function errorsOf(groups: Group[], e: number | null = null, weighings: Weighing[] = []): ToldError[] {
  const readings = groups.flatMap(({ axle, read }, group): SetReading[] =>
    (['Empty Volt', 'Empty Weight', 'Loaded Volt', 'Loaded Weight'] as const).map((attribute, place) => ({
      id: group * 4 + place,
      axle,
      attribute,
      value: read[place] ?? '',
      calibratedAt: new Date('2026-11-28T01:00:00Z'),
      setId: ID,
      visitId: ID,
      technicianPersonId: 'jo',
      technicianName: 'Jo',
      technicianIsName: false,
      correctsId: null,
      supersededBy: null,
    })),
  );
  const axles = groups.map(({ axle, check, more }) => ({
    axle,
    ...NONE,
    check_volt: check?.[0] ?? null,
    check_weight: check?.[1] ?? null,
    ...(more === undefined ? {} : { more_checks: more }),
  }));
  const sets = [{ id: ID, axles, trailers: null, weighings: weighingsText(weighings) }];
  return errorsOfVisit(ID, e, { readings, sets, policy: FIRST_POLICY });
}
const told = ({ axle, load, error, decision }: ToldError) => [
  axle,
  load,
  error === undefined ? null : formatFraction(error.error, 3),
  error === undefined ? null : Number(error.expanded.toFixed(3)),
  decision,
];

const DRIVE: Group = { axle: 'DRIVE', read: ['0.92', '4780', '3.18', '15640'], check: ['2.5', '12500'] };

test('a check load that is a point of the line shows nothing', () => {
  const repeated: Group = { ...DRIVE, check: ['3.180', '15640'], more: [{ volt: '0.92', weight: '4780' }] };
  expect(errorsOf([repeated]).map(({ decision }) => decision)).toEqual(['cannot-be-told', 'cannot-be-told']);
  const heavier: Group = { ...DRIVE, check: ['3.18', '15660'] };
  expect(errorsOf([heavier]).map(({ decision }) => decision)).toEqual(['conforms']);
});

test('each check load of each group; the interval is the register’s, else the assumed one', () => {
  expect(errorsOf([{ ...DRIVE, more: [{ volt: '3.30', weight: '16100' }] }]).map(told)).toEqual([
    ['DRIVE', 0, '-127.611', 66.633, 'conforms'],
    ['DRIVE', 1, '116.637', 78.27, 'conforms'],
  ]);
  const sure = errorsOf([DRIVE], 5)[0];
  expect(sure?.error?.expanded).toBeLessThan(60);
  expect(errorsOf([{ ...DRIVE, check: ['2.5', '11000'] }])[0]?.decision).toBe('does-not-conform');
  expect(errorsOf([{ ...DRIVE, read: ['0.92', '4780', '0.92', '15640'] }]).map(told)).toEqual([
    ['DRIVE', 0, null, null, 'cannot-be-told'],
  ]);
});

test('a mass that came out of readings of the deck has the doubt of each; one that was corrected since has its own', () => {
  const weighings: Weighing[] = [
    { load: 'empty', deck: ['STEER'], kg: 4280, e: 20 },
    { load: 'empty', deck: ['STEER', 'DRIVE'], kg: 9060, e: 20 },
  ];
  const [alone] = errorsOf([DRIVE], 20);
  const [apart] = errorsOf([DRIVE], 20, weighings);
  expect(apart?.error?.expanded).toBeGreaterThan(alone?.error?.expanded ?? NaN);
  const [corrected] = errorsOf([{ ...DRIVE, read: ['0.92', '4790', '3.18', '15640'] }], 20, weighings);
  expect(corrected?.error?.expanded).toBeCloseTo(alone?.error?.expanded ?? NaN, 0);
});

test('the whole is told where each group on that deck has a line, against its ticket', () => {
  const steer: Group = { axle: 'STEER', read: ['0.84', '3940', '1.46', '5880'], check: ['1.20', '5060'] };
  const gross: Weighing = { load: 'check', deck: ['STEER', 'DRIVE'], kg: 17_600, e: 20 };
  const [, , whole] = errorsOf([steer, DRIVE], 20, [gross]);
  // 5066.452 + 12372.389 against 17600
  expect(told(whole ?? expect.fail())).toEqual([null, 0, '-161.159', 72.162, 'conforms']);
  expect(
    errorsOf([{ axle: 'STEER', read: ['0.84', '3940', '1.46', '5880'] }, DRIVE], 20, [gross]).at(-1),
  ).toMatchObject({
    axle: null,
    decision: 'cannot-be-told',
  });
});

test('in words for the roadside, and in a card', () => {
  const errors = errorsOf([DRIVE]);
  expect(errorSentence(errors[0] ?? expect.fail())).toBe(
    'At 12,500\u00a0kg the scale showed 12,372\u00a0kg: 128\u00a0kg less (1.0\u00a0%), ±\u00a067\u00a0kg. The tolerance is 500\u00a0kg. It conforms.',
  );
  expect(errorNotes(errors)).toEqual([
    {
      look: 'error',
      quiet: 'check',
      lead: 'The scale conforms.',
      rest: '',
      card: null,
      link: { to: '#lines', words: '128\u00a0kg less, ±\u00a067\u00a0kg. Limit 500\u00a0kg' },
    },
  ]);
  expect(errorNotes([])).toEqual([]);
  const of = { visitedOn: '2026-11-28', policyVersion: 1, intervalKg: null, assumedKg: 20 };
  expect(errorCard([], of)).toBeNull();
  expect(errorCard(errors, of)).toMatchObject({
    visit: 'Visit of 28 November 2026',
    groups: [{ checks: [{ name: 'Drive', look: 'passed', answer: 'Conforms' }] }],
    foot: expect.stringContaining('from an assumed interval of 20\u00a0kg'),
  });
  expect(worstOf([...errors, ...errorsOf([{ ...DRIVE, check: ['2.5', '11000'] }])])?.decision).toBe('does-not-conform');
});
