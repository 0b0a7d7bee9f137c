// Who is an admin is in the public log: each who comes or goes, by whatever way, is an entry, and verify -- db finds
// the rest.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addAdminSchema } from '#app/admins/admin.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { endDueRemovals, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { noticeEnds } from '#app/people/two-people.server.ts';
import { applicationSchema } from '#app/applications/application.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { createAdmin } from '#app/sign-in/set-up-registry.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { logActivityHead } from './log-activity-head.server.ts';

const EMAIL = 'jo@northside.example';
const PASSWORD = 'a scale by the river';
let services: TestServices;
let mia: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await createAdmin(services, { email: 'ruth@registry.example', name: 'Ruth', password: PASSWORD, mustChange: false });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());

async function entries(): Promise<{ type: string; role: string | null; people: string[] }[]> {
  const { rows } = await sql<{ type: string; role: string | null; people: string[] }>`
    select entry::jsonb ->> 'type' as type, entry::jsonb -> 'body' ->> 'role' as role,
      array(select field || ' ' || (value #>> '{}') from leaf_opening where leaf_index = index and field like 'people.%') as people
    from log_leaf order by index`.execute(services.db);
  return rows;
}

test('each who is added, removed, or admitted as the other is an entry, in which they are a commitment', async () => {
  const added = addAdminSchema.parse({ email: EMAIL, name: 'Jo Nguyen', password: PASSWORD, password_again: PASSWORD });
  const application = applicationSchema.parse({
    email: EMAIL,
    company_name: 'Northside',
    abn: '51 824 753 556',
    trade_licence_num: 'PR-20418',
    rep_name: 'Jo Nguyen',
  });
  await requestRegistration(services, '192.0.2.1', { input: application, key: undefined });
  expect(await approveApplication(services, mia, { email: EMAIL, first: { by: 'link' }, key: undefined })).toEqual({
    approved: true,
  });
  await removeTechnician(services, mia, { email: EMAIL });
  expect(await addAdmin(services, mia, { input: added, key: undefined })).toEqual({ added: true });
  expect(await removeAdmin(services, mia, { email: EMAIL })).toEqual({ removed: true });
  await endDueRemovals({ db: services.db, now: () => noticeEnds(services.now()) });
  await requestRegistration(services, '192.0.2.1', { input: application, key: undefined });
  expect(await approveApplication(services, mia, { email: EMAIL, first: { by: 'link' }, key: undefined })).toEqual({
    approved: true,
  });
  const jo = { admin: ['people.admin Jo Nguyen'], technician: ['people.technician Jo Nguyen'] };
  expect(await entries()).toEqual([
    { type: 'admin.added', role: null, people: ['people.admin Ruth'] },
    { type: 'admin.added', role: null, people: ['people.admin Mia'] },
    { type: 'technician.approved', role: null, people: jo.technician },
    { type: 'technician.removed', role: null, people: jo.technician },
    { type: 'admin.added', role: null, people: jo.admin },
    { type: 'role.changed', role: 'admin', people: jo.admin },
    { type: 'admin.removed', role: null, people: jo.admin },
    { type: 'technician.approved', role: null, people: jo.technician },
    { type: 'role.changed', role: 'technician', people: jo.technician },
  ]);
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('an admin who was put in, taken out, or brought back in the database alone is found', async () => {
  const { db, address } = services;
  await insistOnLeaves(address, false);
  const jo = sql`(select id from admin where email = ${EMAIL})`;
  const ruth = sql`(select id from admin where email = 'ruth@registry.example')`;
  for (const [done, undone, what] of [
    [
      sql`insert into admin (person_id, email, name) select person_id, 'evil@x.example', 'Eve' from admin where id = ${ruth}`,
      sql`delete from admin where email = 'evil@x.example'`,
      'the log has no entry about it',
    ],
    [
      sql`update admin set deleted_at = null, deleted_by = null where id = ${jo}`,
      sql`update admin set deleted_at = a.at, deleted_by = a.by from removed a where id = ${jo}`,
      'its deleted_at, deleted_by is not what was logged',
    ],
    [
      sql`update admin set added_at = '2020-01-01' where id = ${ruth}`,
      sql`update admin set added_at = a.added_at from ruth a where admin.id = ${ruth}`,
      'its added_at is not what was logged',
    ],
  ] as const) {
    await sql`create table removed as select deleted_at as at, deleted_by as by from admin where id = ${jo}`.execute(
      db,
    );
    await sql`create table ruth as select added_at from admin where id = ${ruth}`.execute(db);
    await done.execute(db);
    expect(await differencesFromLog(db)).toEqual([expect.stringContaining(what)]);
    await undone.execute(db);
    await sql`drop table removed, ruth`.execute(db);
  }
  expect(await differencesFromLog(db)).toEqual([]);
});

test('admins from before the upgrade enter with the first head; after it nobody enters as older', async () => {
  const { db } = services;
  await sql`update activity_state set head_logged = null`.execute(db);
  await sql`insert into admin (person_id, email) select person_id, 'old@registry.example' from admin limit 1`.execute(
    db,
  );
  expect(await differencesFromLog(db)).toHaveLength(1);
  const size = (await entries()).length;
  expect(await Promise.all([logActivityHead(db), logActivityHead(db)])).toEqual(expect.arrayContaining([true, false]));
  expect((await entries()).slice(size).map(({ type }) => type)).toEqual(['admin.added', 'activity.head']);
  expect(await differencesFromLog(db)).toEqual([]);
  expect(await logActivityHead(db)).toBe(false);
  await sql`update activity_state set head_logged = null`.execute(db);
  await sql`insert into admin (person_id, email) select person_id, 'eve@registry.example' from admin limit 1`.execute(
    db,
  );
  await logActivityHead(db);
  expect(await differencesFromLog(db)).toEqual([expect.stringContaining('says that it is older than the log')]);
});
