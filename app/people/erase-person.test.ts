// An erasure removes all of a person's data, keeps everything they recorded, and every check still passes.
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { applicationSchema } from '#app/applications/application.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { checkRecords } from '#app/transparency-log/check-records.server.ts';
import { findLeafOf } from '#app/transparency-log/queries.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { READING_PLACES } from '#test/visits.ts';
import { enterLeaves } from '#test/leaves.ts';
import { erasePerson, ERASED_NAME } from './erase-person.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';

const EMAIL = 'priya.raman@northside.example';
let services: TestServices;
let admin: SignedIn;
let personId: string;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = services;
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
  const application = applicationSchema.parse({
    email: EMAIL,
    company_name: 'Northside Priya Scales',
    abn: '51 824 753 556',
    trade_licence_num: 'PR-20418',
    rep_name: 'Priya Raman',
    rep_contact: '0491 570 156',
  });
  await requestRegistration(services, '192.0.2.1', { input: application, key: undefined });
  const first = { by: 'admin', password: 'first words of the yard' } as const;
  await approveApplication(services, admin, { email: EMAIL, first, key: undefined });
  const { personId: id, id: recordId } = await db
    .selectFrom('technician')
    .selectAll()
    .where('email', '=', EMAIL)
    .executeTakeFirstOrThrow();
  personId = id;
  const priya: SignedIn = { ...admin, personId, email: EMAIL, name: 'Priya Raman', role: 'technician', recordId };
  await registerVehicle(services, admin, { input: vehicleInput({ rego: 'ERASE1' }), choice: NO_FILES, key: undefined });
  for (const place of READING_PLACES.slice(0, 3))
    await recordCalibration(db, priya, {
      rego: 'ERASE1',
      input: calibrationSchema('2026-11-21').parse({ ...place, value: '0.84' }),
      now: services.now(),
      zone: 'Australia/Sydney',
      key: undefined,
    });
  const suspended = { from: '2026-11-20', reason: 'Priya was asked about it.' };
  await suspendTechnician(services, admin, { email: EMAIL, ...suspended, key: undefined });
  // A reading that was imported again under another technician: its first log entry still names Priya.
  await db.transaction().execute(async (tx) => {
    const other = await findOrAddActor(tx, { name: 'Sam Lee' });
    const reading = await tx.selectFrom('calibration').selectAll().orderBy('id').limit(1).executeTakeFirstOrThrow();
    await tx.updateTable('calibration').set({ technicianId: other }).where('id', '=', reading.id).execute();
    const vehicle = { id: reading.vehicleId, rego: reading.rego };
    const corrects = await findLeafOf(tx, { table: 'calibration', key: `${reading.rego}/${reading.id}` });
    await appendLeaves(tx, [
      calibrationEvent(vehicle, reading, { technician: 'Sam Lee', more: { corrects, origin: 'imported' } }),
    ]);
  });
  await db
    .insertInto('importRecord')
    .values({ key: 'Technicians/1', hash: '', targetId: recordId, unplaced: JSON.stringify({ nick: 'Priya' }) })
    .execute();
  await db
    .insertInto('formSubmission')
    .values({ key: crypto.randomUUID(), personId, outcome: JSON.stringify({ name: 'Priya' }) })
    .execute();
  await db
    .transaction()
    .execute((tx) =>
      appendActivities(tx, [{ kind: 'record.changed', actorId: null, details: `${EMAIL} stands in the export` }]),
    );
});
afterAll(() => services.stop());

test('somebody with access is removed first', async () => {
  expect(await erasePerson(services, admin, { personId, reason: 'Asked for it.' })).toEqual({
    erased: false,
    reason: 'still-active',
  });
  await removeTechnician(services, admin, { email: EMAIL });
  await services.db.insertInto('application').values({ email: EMAIL }).execute();
  expect(await erasePerson(services, admin, { personId, reason: 'Asked for it.' })).toEqual({
    erased: false,
    reason: 'application-open',
  });
  await services.db.deleteFrom('application').where('email', '=', EMAIL).where('decision', 'is', null).execute();
});

test('nothing of the person is left in any table, what they recorded stays, and all is still proved', async () => {
  const { db } = services;
  const before = await db.selectFrom('logLeaf').selectAll().orderBy('index').execute();
  expect(await mentions()).not.toEqual([]);
  // Three readings, the approval, the suspension and the removal.
  expect(await erasePerson(services, admin, { personId, reason: 'Asked for it.' })).toEqual({
    erased: true,
    entries: 6,
  });
  expect(await mentions()).toEqual([]);
  const after = await db.selectFrom('logLeaf').selectAll().orderBy('index').execute();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after).toHaveLength(before.length + 6);
  for (const { entry } of after.slice(before.length)) expect(entry).toContain('"type":"redaction"');

  const found: string[] = [];
  await enterLeaves(db);
  await verifyDatabase(db, (finding) => found.push(finding));
  expect(found).toEqual([]);
  const readings = await db
    .selectFrom('calibration')
    .innerJoin('actor', 'actor.id', 'calibration.technicianId')
    .select(['calibration.id', 'actor.name'])
    .orderBy('calibration.id')
    .execute();
  expect(readings.map(({ name }) => name)).toEqual(['Sam Lee', ERASED_NAME, ERASED_NAME]);
  const ref = { table: 'calibration', key: `ERASE1/${readings[0]?.id}` } as const;
  expect([...(await checkRecords(db, [ref])).values()]).toMatchObject([{ state: 'covered' }]);
  const { id } = await db
    .selectFrom('technician')
    .select('id')
    .where('personId', '=', personId)
    .executeTakeFirstOrThrow();
  expect([...(await checkRecords(db, [{ table: 'technician', key: id }])).values()]).toMatchObject([
    { state: 'erased', index: after.length - 1 },
  ]);
  const kept = await sql`select from leaf_opening where value = '"Sam Lee"'`.execute(db);
  expect(kept.rows).toHaveLength(1);
  expect(await erasePerson(services, admin, { personId, reason: 'Again.' })).toEqual({
    erased: false,
    reason: 'erased-already',
  });
  expect(await erasePerson(services, admin, { personId: '00000000-0000-4000-8000-000000000000', reason: 'x' })).toEqual(
    {
      erased: false,
      reason: 'unknown',
    },
  );
});

test('what is altered after an erasure is found all the same', async () => {
  const { db } = services;
  const alter = (statement: RawBuilder<unknown>) =>
    db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await statement.execute(tx);
    });
  await alter(
    sql`update calibration set value = '0.85' where rego = 'ERASE1' and id = (select max(id) from calibration)`,
  );
  await alter(sql`update technician set added_at = now() where person_id = ${personId}`);
  await alter(sql`update suspension set from_on = from_on - 1`);
  // Tampering: one opening erased without a log entry, and one restored although the log says that it was erased.
  await alter(sql`update leaf_opening set salt = null, value = null, erased_at = now() where value = '"Sam Lee"'`);
  await alter(sql`update leaf_opening set salt = '', value = '""', erased_at = null
    where (leaf_index, field) = (select leaf_index, field from leaf_opening where field = 'rest' and erased_at is not null
      order by leaf_index limit 1)`);
  const found: string[] = [];
  await verifyDatabase(db, (finding) => found.push(finding));
  for (const words of [
    'its value is not what was logged',
    'its added_at is not what was logged',
    'its from_on is not what was logged',
    'was taken away, and no entry says so',
    'was erased, and it was not',
  ])
    expect(found.join('\n')).toContain(words);
});

/** Every row of every table that contains a text of the person's. */
async function mentions(): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(services.db);
  const places: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t
      where to_jsonb(t)::text ~* 'priya|raman|northside|PR-20418|0491 570 156'`.execute(services.db);
    places.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return places;
}
