import { expect, test } from 'vitest';
import type { CalibrationAttribute } from '#app/readings/calibration.ts';
import { groupHistory, type Reading } from './history.ts';

const ZONE = 'Australia/Sydney';
const START = Date.parse('2026-11-13T23:22:00Z');
const MINUTE = 60_000;

function reading(
  minutes: number,
  attribute: CalibrationAttribute,
  value: string,
  more: Partial<Reading> = {},
): Reading {
  return {
    id: START + minutes * MINUTE,
    axle: 'STEER',
    attribute,
    value,
    dueOn: '2027-05-14',
    calibratedAt: new Date(START + minutes * MINUTE),
    setId: null,
    visitId: null,
    origin: 'recorded',
    technicianName: 'J. Nguyen',
    technicianPersonId: 'p1',
    technicianIsName: false,
    technicianRemovedAt: null,
    correctsId: null,
    supersededBy: null,
    ...more,
  };
}
const cells = (row: { readings: { value: string }[][] } | undefined) =>
  row?.readings.map((cell) => cell.map(({ value }) => value).join('+') || 'N/A');

test('the four readings of an axle from one visit stand in one row', () => {
  const visits = groupHistory(
    [
      reading(0, 'Empty Volt', '0.84'),
      reading(1, 'Loaded Volt', '1.46'),
      reading(2, 'Empty Weight', '3940'),
      reading(3, 'Loaded Weight', '5880'),
    ],
    ZONE,
  );
  expect(visits).toHaveLength(1);
  expect(visits[0]).toMatchObject({
    at: '14 November 2026, 10:22 am',
    technician: 'J. Nguyen',
    due: '14 May 2027',
    imported: false,
    recorder: { name: 'J. Nguyen', personId: null },
    beside: ' · due 14 May 2027',
  });
  expect(visits[0]?.rows).toHaveLength(1);
  expect(cells(visits[0]?.rows[0])).toEqual(['0.84', '3,940', '1.46', '5,880']);
});

test('the same person under name and email is one technician; two persons are two visits', () => {
  const sameVisit = [
    reading(0, 'Empty Volt', '0.84', { technicianName: 'j@x.example' }),
    reading(1, 'Loaded Volt', '1.46'),
  ];
  expect(groupHistory(sameVisit, ZONE)).toMatchObject([{ technician: 'J. Nguyen' }]);
  expect(
    groupHistory([sameVisit[0]!, reading(1, 'Loaded Volt', '1.46', { technicianPersonId: 'p2' })], ZONE),
  ).toHaveLength(2);
});

test('an ambiguous axle keeps each reading in a row of its own, and hides none', () => {
  const rows = groupHistory(
    [reading(0, 'Empty Volt', '0.84'), reading(1, 'Empty Volt', '0.85'), reading(2, 'Empty Weight', '3940')],
    ZONE,
  )[0]?.rows;
  expect(rows?.map(cells)).toEqual([
    ['0.84', 'N/A', 'N/A', 'N/A'],
    ['0.85', 'N/A', 'N/A', 'N/A'],
    ['N/A', '3,940', 'N/A', 'N/A'],
  ]);
});

test('after more than four hours another visit begins; newest first', () => {
  const visits = groupHistory(
    [reading(0, 'Empty Volt', '1'), reading(1, 'Loaded Volt', '2'), reading(242, 'Empty Weight', '3')],
    ZONE,
  );
  expect(visits.map((visit) => visit.rows.map(cells))).toEqual([
    [['N/A', '3', 'N/A', 'N/A']],
    [['1', 'N/A', '2', 'N/A']],
  ]);
});

test('an imported entry without a value shows N/A, and every digit of others stays', () => {
  expect(cells(groupHistory([reading(0, 'Empty Volt', '', { origin: 'imported' })], ZONE)[0]?.rows[0])?.[0]).toBe(
    'N/A',
  );
  expect(
    cells(
      groupHistory([reading(0, 'Empty Volt', '0.840'), reading(1, 'Empty Weight', '1234567.50')], ZONE)[0]?.rows[0],
    )?.slice(0, 2),
  ).toEqual(['0.840', '1,234,567.50']);
});

test('an imported day has no time, and nobody is named where nobody is known', () => {
  const nobody = { origin: 'imported', technicianName: null, technicianPersonId: null } as const;
  const [visit] = groupHistory(
    [reading(0, 'Empty Volt', '0.84', { ...nobody, calibratedAt: new Date('2025-05-11T14:00:00Z') })],
    ZONE,
  );
  expect(visit).toMatchObject({ at: '12 May 2025', technician: null, imported: true });
  const [recorded] = groupHistory([reading(0, 'Empty Volt', '0.84', { ...nobody, origin: 'recorded' })], ZONE);
  expect(recorded).toMatchObject({ at: '14 November 2026, 10:22 am', technician: 'Anonymous' });
});

test('a superseded reading stands behind the one that counts, and its due date counts no more', () => {
  const visits = groupHistory(
    [
      reading(0, 'Empty Volt', '0.84'),
      reading(1, 'Loaded Weight', '58800', { supersededBy: START + 2 * MINUTE, dueOn: '2099-01-01' }),
      reading(2, 'Loaded Weight', '5880', { correctsId: START + MINUTE }),
    ],
    ZONE,
  );
  expect(visits[0]?.rows).toHaveLength(1);
  expect(visits[0]?.due).toBe('14 May 2027');
  expect(visits[0]?.rows[0]?.readings[3]).toMatchObject([{ value: '5,880' }, { value: '58,800', superseded: true }]);
});
