import { expect, test } from 'vitest';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { foldGroups, vehicleSchema } from './vehicle-entry.ts';
import { axlesOfKind } from './axle.ts';
import { addDetails, detailsIn, detailsInWords, detailsOfForm, detailsRefusal, detailsText } from './group-details.ts';

const A_DOUBLE =
  'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres; DOLLYA tandem dual-tyres 16500kg; TRAILERB quad wide-tyres 24000kg left-right kPa';

test('what is known of groups is one text, in the order of the groups, whatever order it was typed in', () => {
  expect(detailsText(detailsIn(A_DOUBLE))).toBe(A_DOUBLE);
  const mixed = 'TRAILERB 24000kg kPa quad left-right wide-tyres;  DRIVE dual-tyres tandem;STEER single one-sensor V';
  expect(detailsText(detailsIn(mixed))).toBe(
    'STEER single; DRIVE tandem dual-tyres; TRAILERB quad wide-tyres 24000kg left-right kPa',
  );
  expect(detailsIn('')).toEqual({});
  expect(detailsInWords('DRIVE tandem dual-tyres; REAR tri 21000kg left-right mV/V')).toBe(
    'Drive: Tandem, dual tyres; Rear: Tri-axle, sensors left and right, output in mV/V, reference mass 21000 kg (typed)',
  );
});

test.each([
  ['DRIVE tandem', undefined],
  ['CABIN tandem', 'CABIN is no axle group.'],
  ['DRIVE five', 'Drive: five is not known.'],
  ['DRIVE 900kg', 'Drive: enter the reference mass in whole kilograms, from 1,000 to 60,000.'],
  ['DRIVE 16.5tkg', 'Drive: enter the reference mass in whole kilograms, from 1,000 to 60,000.'],
])('“%s” is refused in words: %s', (text, why) => {
  expect(detailsRefusal(text)).toBe(why);
});

test('a reference mass is of the table, typed, or unknown: no group is told to carry more than its limit', () => {
  const of = (text: string) =>
    Object.entries(detailsIn(text)).map(([axle, one]) => referenceOf(axle as 'STEER', one)?.kg);
  expect(of('STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres')).toEqual([6000, 16_500, 20_000]);
  // A single drive axle: 9.0 t, where 16.5 t of a tandem would be twice what it may carry.
  expect(of('STEER twin-steer; DRIVE single dual-tyres; TRAILERA quad dual-tyres')).toEqual([
    undefined,
    9000,
    undefined,
  ]);
  expect(of('STEER single wide-tyres; DRIVE tandem; TRAILERA tandem dual-tyres')).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(of('STEER twin-steer 11000kg')).toEqual([11_000]);
  expect(referenceOf('DRIVE', undefined)).toBeUndefined();
});

test('a visit says what was unknown, and changes nothing that was known', () => {
  const said = detailsIn('STEER twin-steer; DRIVE single dual-tyres');
  expect(addDetails('', said)).toBe('STEER twin-steer; DRIVE single dual-tyres');
  expect(addDetails('DRIVE tandem dual-tyres', said)).toBe('STEER twin-steer; DRIVE tandem dual-tyres');
  expect(addDetails('DRIVE tandem', {})).toBe('DRIVE tandem');
});

test('one tap answers for every group, and a group by itself goes before it', () => {
  const form: Record<string, string> = {
    usual_truck: 'semi',
    DRIVE_axles: 'single',
    TRAILERA_axles: 'unknown',
    TRAILERA_tyres: 'unknown',
  };
  const said = detailsOfForm(['STEER', 'DRIVE', 'TRAILERA'], (name) => form[name] ?? '');
  expect(detailsText(said)).toBe('STEER single; DRIVE single dual-tyres');
});

test('a trailer has its own groups, and a truck those of its trailers', () => {
  expect(axlesOfKind('trailer')).toEqual(['FRONT', 'REAR']);
  expect(axlesOfKind('')).not.toContain('REAR');
});

const fold = (more: [string, string][], groups: string[], kept: string[] = []) => {
  const fields = new Map([['rego', 'ABC1'], ['groups_given', 'yes'], ...more]);
  foldGroups({
    fields,
    all: new Map([
      ['group', groups],
      ['keep_theirs', kept],
    ]),
  });
  return vehicleSchema.safeParse(Object.fromEntries(fields));
};

test('the table of the form becomes the two texts of the record, and a wrong mass is said at it', () => {
  const table: [string, string][] = [
    ['DRIVE_axles', 'tandem'],
    ['DRIVE_tyres', 'dual-tyres'],
    ['STEER_kg', '11 000 kg'],
  ];
  expect(fold(table, ['DRIVE', 'STEER']).data).toMatchObject({
    axle_groups: 'STEER DRIVE',
    group_details: 'STEER 11000kg; DRIVE tandem dual-tyres',
  });
  const wrong = fold([['STEER_kg', 'eleven']], ['STEER']);
  expect(wrong.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['group_details', 'Steer: enter the reference mass in whole kilograms, from 1,000 to 60,000.'],
  ]);
  const nine = axlesOfKind('');
  expect(fold([], [...nine]).error?.issues[0]?.message).toContain('At most 8 of');
});

test('a vehicle is a truck until somebody says that it is a trailer or a dolly', () => {
  const kind = (text: string) => vehicleSchema.safeParse({ rego: 'ABC1', kind: text }).data?.kind;
  expect([kind(''), kind('truck'), kind('trailer'), kind('dolly'), kind('bus')]).toEqual([
    '',
    '',
    'trailer',
    'dolly',
    undefined,
  ]);
});
