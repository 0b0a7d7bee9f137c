// What a join leaves: one truck under both addresses, proofs that hold, followers who are told once; and what the log
// finds where somebody moves rows in the database.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { readingBadge } from '#app/readings/reading-badge.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { findMismatches } from '#app/transparency-log/vehicle-records.server.ts';
import { missingVehicle } from '#app/vehicles/missing-vehicle.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { apiApp } from '#server/api.ts';
import { addFollower } from '#test/followers.ts';
import { decideLastJoin, join, part } from '#test/joins.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { liveVehicle, recordHonestSet } from '#test/visits.ts';

const VIN = '6F5AAAAAAAAAAA111';
let services: TestServices;
let admin: SignedIn;
let ids: { kept: string; other: string };
beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  const register = (rego: string) =>
    registerVehicle(services, admin, {
      input: vehicleInput({ rego, vin: VIN, axle_groups: 'STEER' }),
      choice: NO_FILES,
      key: undefined,
    });
  await register('KEPT1');
  await register('OTHER1');
  await recordHonestSet(services, admin, 'OTHER1');
  ids = { kept: (await liveVehicle(services, 'KEPT1')).id, other: (await liveVehicle(services, 'OTHER1')).id };
});
afterEach(() => services.stop());

const joinThem = () => join(services, admin, { rego: 'OTHER1', kept: 'KEPT1' });
const follow = (vehicleId: string, email: string) =>
  addFollower(services.db, { vehicleId, email, confirmedOn: '2026-01-05' });
const followers = async (vehicleId: string) =>
  (
    await services.db
      .selectFrom('follower')
      .select('email')
      .where('vehicleId', '=', vehicleId)
      .orderBy('email')
      .execute()
  ).map(({ email }) => email);

test('both addresses lead to one truck, in the API too, and each reading has the proof that it had', async () => {
  const before = await Promise.all(
    (await listCalibrations(services.db, ids.other)).map((reading) => readingBadge(services, reading)),
  );
  expect(await joinThem()).toEqual({ joined: true, rego: 'KEPT1' });
  const readings = await listCalibrations(services.db, ids.kept);
  expect(await Promise.all(readings.map((reading) => readingBadge(services, reading)))).toEqual(before);
  const found = await findVehicle(services.db, 'OTHER1');
  if (found.state === 'live') throw new Error('it is live');
  const addressOf = (rego: string) => `/vehicles/view/${rego}`;
  const answer = await missingVehicle(services, { rego: 'OTHER1', found, addressOf });
  expect(answer instanceof Response && [answer.status, answer.headers.get('location')]).toEqual([
    301,
    '/vehicles/view/KEPT1',
  ]);
  const response = await apiApp(services).request('http://registry.example/vehicles/OTHER1');
  expect(await response.json()).toMatchObject({
    rego: 'KEPT1',
    asked_plate: { plate: 'OTHER1', why: 'joined' },
    former_plates: [{ plate: 'OTHER1', why: 'joined' }],
  });
  const kinds = await services.db.selectFrom('activityLog').select('kind').orderBy('index', 'desc').limit(1).execute();
  expect(kinds).toEqual([{ kind: 'vehicle.joined' }]);
  const leaves = await services.db.selectFrom('logLeaf').select('entry').orderBy('index', 'desc').limit(2).execute();
  expect(leaves.map(({ entry }) => /"type":"([^"]+)"/.exec(entry)?.[1])).toEqual(['vehicle.joined', 'vehicle.deleted']);
  expect(leaves.map(({ entry }) => entry).join(' ')).not.toMatch(/OTHER1|KEPT1/);
  expect([
    await differencesFromLog(services.db),
    await findMismatches(services.db, { id: ids.kept, rego: 'KEPT1' }),
  ]).toEqual([[], []]);
});

test('who follows both is told once; undone, everybody follows what they followed', async () => {
  await follow(ids.kept, 'both@yard.example');
  await follow(ids.other, 'both@yard.example');
  await follow(ids.other, 'other@yard.example');
  await joinThem();
  expect(await followers(ids.kept)).toEqual(['both@yard.example', 'other@yard.example']);
  await part(services, admin);
  expect([await followers(ids.kept), await followers(ids.other)]).toEqual([
    ['both@yard.example'],
    ['both@yard.example', 'other@yard.example'],
  ]);
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('a single admin joins what makes a verdict better, and the log of activities says that nobody else looked', async () => {
  await joinThem();
  const { details } = await services.db
    .selectFrom('activityDetail')
    .select('details')
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(details).toBe('OTHER1 joined with KEPT1, by the only administrator');
  expect(await decideLastJoin(services, admin, 'confirm')).toMatchObject({ decided: false, reason: 'gone' });
});

test.each([
  [
    'a visit that goes without a join',
    sql`update visit set vehicle_id = (select id from vehicle where rego = 'KEPT1'),
    from_vehicle = vehicle_id`,
    /visit .*: its vehicle_id is not what was logged/,
  ],
  [
    'a join without an entry',
    sql`update vehicle set joined_into = (select id from vehicle where rego = 'KEPT1'),
    deleted_at = now() where rego = 'OTHER1'`,
    /vehicle .*: its deleted_at, joined_into is not what was logged/,
  ],
] as const)('in the database alone: %s', async (_, change, says) => {
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await change.execute(tx);
  });
  expect((await differencesFromLog(services.db)).join('\n')).toMatch(says);
});

test('a reading that is left with the closed record is found', async () => {
  await joinThem();
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update calibration set vehicle_id = from_vehicle, from_vehicle = null
      where id = (select max(id) from calibration)`.execute(tx);
  });
  expect((await differencesFromLog(services.db)).join('\n')).toMatch(/calibration OTHER1\/\d+: .*did not come with it/);
});
