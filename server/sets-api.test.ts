import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { readSet } from '#app/recording/set-entry.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addPerson, signedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { apiApp } from './api.ts';

let services: TestServices;
let setId: string;
const REGO = 'SETAPI1';
const NOW = new Date('2026-11-21T01:00:00Z');
const SINGLES = Date.parse('2026-05-01T00:00:00Z');

beforeAll(async () => {
  services = await createTestServices();
  services.now = () => NOW;
  const { db } = services;
  const person = await addPerson(db, 'technician', 'jo@scales.example', { name: 'Jo Nguyen' });
  const { who } = await signedIn(services, person.email);
  await registerVehicle(services, who, { input: vehicleInput({ rego: REGO }), choice: NO_FILES, key: undefined });
  const { id: vehicleId } = await db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', REGO)
    .executeTakeFirstOrThrow();
  const actor = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', person.personId)
    .executeTakeFirstOrThrow();
  // Recorded one by one, in May.
  await db
    .insertInto('calibration')
    .values(
      (
        [
          ['Empty Volt', '1'],
          ['Empty Weight', '4600'],
          ['Loaded Volt', '4'],
          ['Loaded Weight', '16900'],
        ] as const
      ).map(([attribute, value], place) => ({
        rego: REGO,
        id: SINGLES + place,
        vehicleId,
        axle: 'DRIVE',
        attribute,
        value,
        calibratedAt: new Date(SINGLES + place),
        technicianId: actor.id,
      })),
    )
    .execute();
  const fields = new Map(
    Object.entries({
      confirmed: 'yes',
      vin: '',
      visit_date: '2026-11-21',
      visit_time: '11:30',
      weighbridge: 'Port Kembla',
      ticket_number: '4711',
      lift_axle: 'lowered',
      notes: 'PRIVATE NOTES',
      DRIVE_empty_volt: '1.0',
      DRIVE_empty_weight: '4500',
      DRIVE_loaded_volt: '4.0',
      DRIVE_loaded_weight: '16500',
      DRIVE_check_volt: '2.5',
      DRIVE_check_weight: '10400',
      DRIVE_as_found_empty: '4540',
    }),
  );
  const { input } = readSet(fields, new Map([['axle', ['DRIVE']]]), {
    zone: 'Australia/Sydney',
    now: NOW,
    longestIntervalDays: 366,
  });
  if (input === undefined) throw new Error('the form is wrong');
  const answer = await recordCalibrationSet(services, who, { rego: REGO, input, photos: [], key: undefined });
  setId = answer.recorded ? answer.setId : '';
});
afterAll(() => services.stop());

const ask = async (path: string) => {
  const answer = await apiApp(services).request(path);
  const text = await answer.text();
  return { status: answer.status, text, body: answer.status === 200 ? JSON.parse(text) : text };
};

test('the sets of a vehicle, the newest first, with line, check load and agreement; nothing private', async () => {
  const { status, text, body } = await ask(`/vehicles/${REGO}/sets`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ page: 1, pages: 1, total: 2 });
  expect(body.items[0]).toEqual({
    ...NO_FACTS,
    matches_log: true,
    id: `${setId}-drive`,
    visit: setId,
    // It is not known which axle groups of the truck carry a sensor.
    state: 'waits',
    axle_type: 'DRIVE',
    calibrated_at: '2026-11-21T00:30:00.000Z',
    calibrating_technician: 'Jo Nguyen',
    readings: [0, 1, 2, 3].map((place) => NOW.getTime() + place),
    unit: 'V',
    line: { slope_kg_per_volt: '4000.000000', offset_kg: '500.000000' },
    // 4000 × 2.5 + 500 = 10500
    check_load: {
      volts: '2.5',
      weight: '10400',
      error_kg: '100.000000',
      // Nearly all of it from volts that were read to a tenth.
      expanded_uncertainty_kg: 287.75,
      tolerance_kg: '500.000000',
      decision: 'conforms',
    },
    more_check_loads: [],
    whole_at_check_load: null,
    as_found: { empty_kg: '4540', loaded_kg: null },
    sensor_replaced: false,
    other_trailer: false,
    weighbridge: 'Port Kembla',
    ticket_number: '4711',
    lift_axle: 'lowered',
    not_behind: [],
    trailers: [],
    weighings: [],
    photo: null,
    photos: [],
    captured_at: null,
    received_at: null,
    agreement: {
      answer: 'consistent',
      why: null,
      reference_kg: 16_500,
      // The line of May: 4100 kg/V and 500 kg, 16900 kg at 4 V.
      difference_kg: '400.000000',
      allowed_kg: '500.000000',
      policy_version: 1,
    },
  });
  expect(body.items[1]).toMatchObject({
    id: `${SINGLES}-drive`,
    visit: null,
    line: { slope_kg_per_volt: '4100.000000' },
    check_load: null,
    weighbridge: '',
    agreement: { answer: 'not-enough-data', why: 'nothing-before', reference_kg: null },
  });
  expect(text).not.toMatch(/PRIVATE|jo@scales/);
});

test('a set whose reading, visit or record was altered does not match the log', async () => {
  const matching = async () => {
    const { body } = await ask(`/vehicles/${REGO}/sets?page=1`);
    return body.items.map(({ matches_log }: { matches_log: boolean }) => matches_log);
  };
  const alter = (statement: ReturnType<typeof sql>) =>
    services.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await statement.execute(tx);
    });
  for (const [change, back] of [
    [sql`update calibration_set set ticket_number = '1'`, sql`update calibration_set set ticket_number = '4711'`],
    [sql`update visit set due_on = '2099-01-01'`, sql`update visit set due_on = null`],
    [
      sql`update calibration set value = '9' where set_id is not null and value = '1.0'`,
      sql`update calibration set value = '1.0' where set_id is not null and value = '9'`,
    ],
  ] as const) {
    // The readings of May were put in behind the log.
    expect(await matching()).toEqual([true, false]);
    await alter(change);
    expect(await matching()).toEqual([false, false]);
    await alter(back);
  }
  expect(await matching()).toEqual([true, false]);
  expect((await ask(`/vehicles/${REGO}/sets?page=0`)).status).toBe(400);
});

test('one set by its name; what is none is named as such', async () => {
  expect((await ask(`/vehicles/${REGO}/sets/${SINGLES}-drive`)).body).toMatchObject({ id: `${SINGLES}-drive` });
  expect(await ask(`/vehicles/${REGO}/sets/nothing`)).toMatchObject({
    status: 404,
    text: expect.stringContaining('set-unknown'),
  });
  expect(await ask('/vehicles/NOPE99/sets')).toMatchObject({
    status: 404,
    text: expect.stringContaining('vehicle-unknown'),
  });
  expect((await ask('/vehicles/-/sets')).status).toBe(400);
});

test('a visit that was recorded as one has a proof of its own, which waits for the signing', async () => {
  expect(await ask(`/vehicles/${REGO}/sets/${setId}-drive/proof`)).toMatchObject({
    status: 503,
    text: expect.stringContaining('proof-waiting'),
  });
  expect(await ask(`/vehicles/${REGO}/sets/${SINGLES}-drive/proof`)).toMatchObject({
    status: 404,
    text: expect.stringContaining('set-grouped'),
  });
});

test('the addresses are described', async () => {
  const { body } = await ask('/openapi.json');
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(['/vehicles/{rego}/sets', '/vehicles/{rego}/sets/{id}', '/vehicles/{rego}/sets/{id}/proof']),
  );
});
