import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { exportActivities } from './export-activities.server.ts';
import { logPage } from './log-page.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

const append = (entry: ActivityEntry) => services.db.transaction().execute((tx) => appendActivities(tx, [entry]));
const latest = async () => (await logPage(services, new URL('http://x.invalid/logs'))).rows[0];

test('the record of an entry leads to its page, where there is one', async () => {
  const mia = await addPerson(services.db, 'admin', 'mia@registry.example', { password: null });
  const about = { kind: 'vehicle.updated', actorId: null, rego: 'XV27BD' } as const;
  for (const [entry, record] of [
    [
      { ...about, subject: 'vehicle', subjectId: '9b2f5a34-0000-4000-8000-000000000000' },
      { words: 'Vehicle XV27BD', href: '/vehicles/view/XV27BD' },
    ],
    [
      { ...about, subject: 'calibration', subjectId: 'XV27BD/1795219200000' },
      { words: 'Calibration of XV27BD', href: '/calibrations/XV27BD/1795219200000' },
    ],
    [
      { kind: 'record.changed', actorId: null, details: 'former@site,com updated' },
      { words: 'former@site.com', href: null },
    ],
    [
      { kind: 'repair.added', actorId: null, subject: 'reference', subjectId: '9b2f5a34-0000-4000-8000-000000000000' },
      { words: 'Weighbridge', href: '/references/9b2f5a34-0000-4000-8000-000000000000' },
    ],
    [{ kind: 'references.imported', actorId: null, subject: 'reference' }, null],
    [{ kind: 'record.changed', actorId: null, details: 'something else' }, null],
    [{ kind: 'admin.updated', actorId: null, subject: 'admin', subjectId: 'no-uuid' }, null],
  ] satisfies [ActivityEntry, object | null][]) {
    await append(entry);
    expect((await latest())?.record).toEqual(record);
  }
  await append({ kind: 'profile.updated', actorId: null, subject: 'admin', subjectId: mia.recordId });
  expect((await latest())?.record?.words).toBe('Admin mia@registry.example');
  await services.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', mia.recordId).execute();
  expect((await latest())?.record).toEqual({ words: 'Admin mia@registry.example', href: null });
});

test('a technician’s page stays when they are removed, an application’s until it is decided', async () => {
  const { db } = services;
  const jo = await addPerson(db, 'technician', 'jo.o’hara/x@yard.example', { password: null });
  await append({ kind: 'profile.updated', actorId: null, subject: 'technician', subjectId: jo.recordId });
  const page = { words: `Technician ${jo.email}`, href: '/technicians/view/jo,o%E2%80%99hara%2Fx@yard,example' };
  expect((await latest())?.record).toEqual(page);
  await db.updateTable('technician').set({ deletedAt: new Date() }).where('id', '=', jo.recordId).execute();
  expect((await latest())?.record).toEqual(page);
  const { id } = await db
    .insertInto('application')
    .values({ email: 'kim@yard.example' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await append({ kind: 'application.submitted', actorId: null, subject: 'application', subjectId: id });
  const words = 'Application of kim@yard.example';
  expect((await latest())?.record).toEqual({ words, href: '/applications/view/kim@yard,example' });
  await db
    .updateTable('application')
    .set({ decision: 'deleted', decidedAt: new Date() })
    .where('id', '=', id)
    .execute();
  expect((await latest())?.record).toEqual({ words, href: null });
});

test('an entry keeps the name of its time, its words and its changes; erased, it says so', async () => {
  const actorId = await services.db
    .transaction()
    .execute((tx) => findOrAddActor(tx, { name: 'Mia before', email: 'mia@registry.example' }));
  await services.db
    .transaction()
    .execute((tx) => findOrAddActor(tx, { name: 'Mia after', email: 'mia@registry.example' }));
  const index = await append({
    kind: 'profile.updated',
    actorId,
    action: 'Profile updated',
    details: 'mia@registry.example updated',
    changes: [
      { field: 'calibration_validated', from: false, to: true },
      { field: 'image', from: null, to: '9b2f5a34-0000-4000-8000-000000000000' },
    ],
    origin: 'imported',
    occurredAt: new Date('2099-10-03T16:00:00Z'),
  });
  expect(await latest()).toEqual({
    index,
    occurredAt: '2099-10-03T16:00:00.000Z',
    when: '4 October 2099, 3:00 am',
    imported: true,
    name: 'Mia before',
    email: 'mia@registry.example',
    words: 'Profile updated',
    details: 'mia@registry.example updated',
    erased: null,
    changes: [
      { label: expect.stringMatching(/validated/i), from: 'no', to: 'yes' },
      { label: 'Image', from: 'empty', to: 'file 9b2f5a34' },
    ],
    record: { words: 'mia@registry.example', href: null },
  });
  await sql`update activity_detail set action = '', details = '', changes = null, erased_at = now()
    where index = ${index}`.execute(services.db);
  expect(await latest()).toMatchObject({
    words: 'Profile updated',
    details: '',
    changes: [],
    record: null,
    erased: expect.stringMatching(/^\d+ \w+ \d{4}, /),
  });
});

test('a row of the file has the specification’s names, and no cell that a spreadsheet would run', async () => {
  const actorId = await services.db
    .transaction()
    .execute((tx) => findOrAddActor(tx, { name: '=cmd|calc', email: 'hostile@x.example' }));
  const index = await append({
    kind: 'vehicle.updated',
    actorId,
    subject: 'vehicle',
    subjectId: 'x',
    rego: 'XV27BD',
    details: '+61, "quoted"',
    changes: [
      { field: '@company', from: '', to: '=1+1' },
      { field: 'validated', from: null, to: true },
    ],
    origin: 'imported',
    occurredAt: new Date('2026-01-02T03:04:05Z'),
  });
  const answer = await exportActivities(services, new URL('http://x.invalid/logs.csv?who=hostile@x'));
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="log-2026-11-21.csv"');
  // Response.text() would remove the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
  expect(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z,imported/, 'LOGGED,imported')).toBe(
    '\uFEFFentry,timestamp,logged_at,origin,name,email,kind,action,details,record,changes,erased_at\r\n' +
      `${index},2026-01-02T03:04:05.000Z,LOGGED,imported,'=cmd|calc,hostile@x.example,vehicle.updated,Vehicle updated,` +
      `"'+61, ""quoted""",Vehicle XV27BD,"'@company: """" → ""=1+1""; validated: null → true",\r\n`,
  );
});
