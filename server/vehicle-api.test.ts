// What a vehicle's answer is made of is held against the log, and nothing else.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { sweepHistories } from '#app/transparency-log/sweep-histories.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { apiApp } from './api.ts';

let services: TestServices;
let mia: SignedIn;
let tech: SignedIn;
let rego: string;
let id: string;
let count = 0;
const FAR = { DRIVE: { loaded_weight: '14000' } };

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-05-20T01:00:00Z');
  rego = `API${(count += 1)}`;
  await registerVehicle(services, mia, {
    input: vehicleInput({ rego, vin: `6T9API${count}`, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' }),
    choice: NO_FILES,
    key: undefined,
  });
  const found = services.db.selectFrom('vehicle').select('id').where('rego', '=', rego);
  ({ id } = await found.executeTakeFirstOrThrow());
});

const answerSchema = z.object({
  matches_log: z.boolean(),
  valid_calibration: z.boolean(),
  evidence: z.object({ visit: z.string().nullable(), state: z.string() }).nullable(),
  waiting: z.array(z.object({ visit: z.string() })),
  waiting_total: z.number(),
});
const answer = async () => answerSchema.parse(await (await apiApp(services).request(`/vehicles/${rego}`)).json());
const matches = async () => (await answer()).matches_log;

/** Changes rows as nobody can who does not own the database. */
const alter = (statement: ReturnType<typeof sql>) =>
  services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });
async function expectFound(change: ReturnType<typeof sql>, back: ReturnType<typeof sql>): Promise<void> {
  expect(await matches()).toBe(true);
  await alter(change);
  expect(await answer()).toMatchObject({ matches_log: false, valid_calibration: false });
  // Asked again, it is still not what was logged.
  expect(await matches()).toBe(false);
  await alter(back);
  // What was found stays said until the whole history is checked.
  expect(await matches()).toBe(false);
  await services.db.deleteFrom('historyCheck').execute();
  expect(await matches()).toBe(true);
}
const ofVehicle = () => sql`select id from visit where vehicle_id = ${id}`;

test('a change of the vehicle’s own row is found, also after it was checked', async () => {
  await expectFound(
    sql`update vehicle set next_calibration_due_on = '2099-01-01' where id = ${id}`,
    sql`update vehicle set next_calibration_due_on = null where id = ${id}`,
  );
});

test('so is one of the visit that rules, of one that waits, and of what was decided about either', async () => {
  await recordHonestSet(services, tech, rego);
  await expectFound(
    sql`update visit set policy_version = 2 where id in (${ofVehicle()})`,
    sql`update visit set policy_version = 1 where id in (${ofVehicle()})`,
  );
  services.setNow('2026-08-01T01:00:00Z');
  await recordHonestSet(services, tech, rego, { readings: FAR });
  const [waits] = (await answer()).waiting;
  expect(waits).toBeDefined();
  await expectFound(
    sql`update visit set visited_on = visited_on + 1 where id = ${waits?.visit}`,
    sql`update visit set visited_on = visited_on - 1 where id = ${waits?.visit}`,
  );
  const moment = { now: services.now(), key: undefined };
  const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
  await decideVisit(services.db, mia, { visitId: waits?.visit ?? '', input, ...moment });
  expect(await answer()).toMatchObject({ evidence: { visit: waits?.visit, state: 'accepted' }, waiting: [] });
  await expectFound(
    sql`update visit_decision set is_alone = not is_alone where visit_id = ${waits?.visit}`,
    sql`update visit_decision set is_alone = not is_alone where visit_id = ${waits?.visit}`,
  );
});

test('so is one of the certificate, and of a validation that was withdrawn', async () => {
  const { db } = services;
  rego = 'CERT1';
  ({ id } = await db
    .insertInto('vehicle')
    .values({ rego, lastCalibratedAt: new Date('2026-04-01T00:00:00Z') })
    .returning('id')
    .executeTakeFirstOrThrow());
  await db
    .insertInto('vehicleFile')
    .values({ vehicleId: id, role: 'certificate', externalUrl: 'https://former.example/a.pdf' })
    .execute();
  await enterLeaves(db);
  await expectFound(
    sql`update vehicle_file set external_url = 'https://former.example/b.pdf' where vehicle_id = ${id}`,
    sql`update vehicle_file set external_url = 'https://former.example/a.pdf' where vehicle_id = ${id}`,
  );
  for (const validated of [true, false]) await decideValidation(db, mia, { rego, validated, reason: 'Seen' });
  const last = sql`id = (select max(id) from validation where vehicle_id = ${id})`;
  await expectFound(
    sql`update validation set decided_at = decided_at - interval '9 days' where ${last}`,
    sql`update validation set decided_at = decided_at + interval '9 days' where ${last}`,
  );
});

test('a reading that was altered is in the answer with the readings, and after the daily check in the vehicle’s own', async () => {
  await recordHonestSet(services, tech, rego);
  expect(await matches()).toBe(true);
  await alter(
    sql`update calibration set value = '1' where rego = ${rego} and axle = 'DRIVE' and attribute = 'Empty Volt'`,
  );
  expect(await matches()).toBe(true);
  const readings = z
    .object({ items: z.array(z.object({ calibration_value: z.string(), matches_log: z.boolean() })) })
    .parse(await (await apiApp(services).request(`/vehicles/${rego}/calibrations`)).json());
  expect(readings.items.filter(({ matches_log }) => !matches_log).map((item) => item.calibration_value)).toEqual(['1']);
  const sweep = () => sweepHistories({ ...services, everyMs: 5000, isLost: () => false });
  while ((await sweep()) > 0);
  expect(await answer()).toMatchObject({ matches_log: false, valid_calibration: false });
});

test('of many visits that wait the newest are shown, and the others counted', async () => {
  await alter(sql`insert into visit (vehicle_id, visited_at, visited_on, closed_at, state, judged, checks)
    select ${id}, now(), date '2026-01-01' + n, now(), 'waits', 'waits', '[]' from generate_series(1, 25) n`);
  const { waiting, waiting_total } = await answer();
  expect({ shown: waiting.length, waiting_total }).toEqual({ shown: 20, waiting_total: 25 });
});
