import { expect, test } from 'vitest';
import type { CalibrationAttribute } from './calibration.ts';
import { fourOf, groupReadings, type SetReading } from './calibration-set.ts';

const START = Date.parse('2026-11-13T23:22:00Z');
const MINUTE = 60_000;
const ALL = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;

function reading(minutes: number, attribute: CalibrationAttribute, more: Partial<SetReading> = {}): SetReading {
  return {
    id: START + minutes * MINUTE,
    axle: 'STEER',
    attribute,
    value: '1',
    calibratedAt: new Date(START + minutes * MINUTE),
    setId: null,
    visitId: null,
    technicianPersonId: 'jo',
    technicianName: 'Jo Nguyen',
    technicianIsName: false,
    correctsId: null,
    supersededBy: null,
    ...more,
  };
}
/** The four readings of one axle, a minute apart, starting at `minutes`. */
const visit = (minutes: number, more: Partial<SetReading> = {}) =>
  ALL.map((attribute, index) => reading(minutes + index, attribute, more));
/** The minutes of each group's counting readings; superseded ones are in brackets. */
const grouped = (readings: readonly SetReading[]) =>
  groupReadings(readings).map(({ counting, superseded }) =>
    [...counting.map(minutesOf), ...superseded.map((each) => `(${minutesOf(each)})`)].join(' '),
  );
const minutesOf = ({ id }: SetReading) => String((id - START) / MINUTE);

const AL = { technicianPersonId: 'al', technicianName: 'Al Walker' };

test('four readings of one axle, technician and visit are one set', () => {
  const [group, ...rest] = groupReadings(visit(0));
  expect(rest).toEqual([]);
  expect(group?.counting).toHaveLength(4);
  expect(fourOf(group ?? { counting: [] })).toEqual({
    empty_volt: '1',
    loaded_volt: '1',
    empty_weight: '1',
    loaded_weight: '1',
  });
});

test('axles and technicians are apart; anybody who is not known is nobody’s colleague', () => {
  expect(grouped([...visit(0), ...visit(10, { axle: 'DRIVE' })])).toEqual(['0 1 2 3', '10 11 12 13']);
  expect(grouped([reading(0, 'Empty Volt'), reading(1, 'Loaded Volt', AL)])).toEqual(['0', '1']);
  expect(grouped(visit(0, { technicianPersonId: null, technicianName: null }))).toEqual(['0', '1', '2', '3']);
  // Two technicians on one axle at once: each has a set of their own.
  expect(grouped([...visit(0), ...visit(20, AL)])).toEqual(['0 1 2 3', '20 21 22 23']);
});

test('five readings of one axle in four hours stay single', () => {
  expect(grouped([...visit(0), reading(100, 'Empty Volt')])).toEqual(['0', '1', '2', '3', '100']);
  expect(grouped([...visit(0), ...visit(120)])).toHaveLength(8);
});

test('four hours exactly is one visit, a minute more is not', () => {
  expect(grouped([reading(0, 'Empty Volt'), reading(240, 'Loaded Volt')])).toEqual(['0 240']);
  expect(grouped([reading(0, 'Empty Volt'), reading(241, 'Loaded Volt')])).toEqual(['0', '241']);
  expect(grouped([...visit(0), ...visit(244)])).toEqual(['0 1 2 3', '244 245 246 247']);
});

test('where the one in the middle could belong to either side, none is grouped', () => {
  expect(grouped([reading(0, 'Empty Volt'), reading(200, 'Loaded Volt'), reading(400, 'Empty Weight')])).toEqual([
    '0',
    '200',
    '400',
  ]);
  // The last reading of one visit and the first of the next are within four hours, so the visits cannot be told apart.
  expect(grouped([...visit(0), ...visit(243)])).toHaveLength(8);
});

/** Two people have this name. It is the email address of neither. */
const NAME = { technicianPersonId: 'name', technicianIsName: true };
const NAMESAKE = { technicianPersonId: 'jo2' };

test('a name that several people have is that of the one who has it in that visit', () => {
  const [a, b, c, d] = ALL;
  expect(grouped([reading(0, a, NAME), reading(1, b, NAME), reading(2, c), reading(3, d, NAME)])).toEqual(['0 1 2 3']);
  // Of the name alone, and of each of its people, too; but nothing is of both of them.
  expect(grouped(visit(0, NAME))).toEqual(['0 1 2 3']);
  expect(grouped([...visit(0), ...visit(20, NAMESAKE), ...visit(900, NAME)])).toEqual([
    '0 1 2 3',
    '20 21 22 23',
    '900 901 902 903',
  ]);
  expect(grouped([reading(0, a), reading(1, b, NAMESAKE), reading(2, c, NAME)])).toEqual(['0', '1', '2']);
  expect(grouped([reading(0, a), reading(1, b, NAMESAKE)])).toEqual(['0', '1']);
  // A fifth under the name alone may be the same person's.
  expect(grouped([...visit(0), reading(30, a, NAME)])).toHaveLength(5);
});

test('a set that was recorded as one is one, whatever lies between or beside it', () => {
  const set = [...visit(0, { setId: 'a' }).slice(0, 3), reading(900, 'Loaded Weight', { setId: 'a', ...AL })];
  expect(grouped([...set, ...visit(1000), ...visit(5, { setId: 'b' })])).toEqual([
    '0 1 2 900',
    '5 6 7 8',
    '1000 1001 1002 1003',
  ]);
  // Its readings of another axle are another group of it.
  expect(grouped([...visit(0, { setId: 'a' }), ...visit(10, { setId: 'a', axle: 'DRIVE' })])).toHaveLength(2);
});

test('a correction, by anybody, stands for the reading that it corrects', () => {
  const [first, ...others] = visit(0);
  const wrong: SetReading = { ...reading(0, 'Empty Volt'), supersededBy: START + 9000 * MINUTE };
  expect(first?.attribute).toBe('Empty Volt');
  const right = reading(9000, 'Empty Volt', {
    calibratedAt: wrong.calibratedAt,
    technicianPersonId: 'admin',
    technicianName: 'Mia',
    correctsId: wrong.id,
  });
  expect(grouped([wrong, ...others, right])).toEqual(['9000 1 2 3 (0)']);
  // A reading that is corrected to another axle leaves the group. The superseded reading stays where it was.
  const moved: SetReading = { ...right, axle: 'DRIVE' };
  expect(grouped([wrong, ...others, moved]).toSorted()).toEqual(['(0)', '1 2 3', '9000']);
  // It is corrected to an attribute that the group already has, so nobody knows which of the two counts.
  const doubled: SetReading = { ...right, attribute: 'Loaded Volt' };
  expect(grouped([wrong, ...others, doubled])).toHaveLength(4);
});

test('a reading missing, or imported without a value: no four', () => {
  const [first] = groupReadings(visit(0).slice(0, 3));
  expect(first?.counting).toHaveLength(3);
  expect(fourOf(first ?? { counting: [] })).toBeUndefined();
  const [empty] = groupReadings([...visit(0).slice(0, 3), reading(3, 'Loaded Weight', { value: '' })]);
  expect(fourOf(empty ?? { counting: [] })).toBeUndefined();
});
