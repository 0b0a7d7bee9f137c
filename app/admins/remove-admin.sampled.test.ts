import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import { findPasswordHash, findAccount } from '#app/access/queries.server.ts';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { adminInput, GIVEN, listEntries, listMails, liveAdmins, newEmail } from '#test/admins.ts';
import { addPerson, PASSWORD, signedIn, VISITOR, type Person } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { sampled } from '#test/sample.ts';
import { addAdmin } from './add-admin.server.ts';
import { findStaff } from './queries.server.ts';
import { endDueRemovals, removeAdmin } from './remove-admin.server.ts';

const RACES = sampled(100);

let services: TestServices;
let mia: Person;
let asMia: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia Kowalski' });
  asMia = (await signedIn(services, mia.email)).who;
});
afterAll(() => services.stop());
const inEightDays = () => new Date(services.now().getTime() + 8 * 86_400_000);

test('a removed admin loses every access at once; added again nothing of it revives', async () => {
  const { db } = services;
  const eve = await addPerson(db, 'admin', 'eve@registry.example', { name: 'Eve' });
  const { cookie, who: asEve } = await signedIn(services, eve.email);
  await addAdmin(services, asEve, { input: adminInput(newEmail()), key: randomUUID() });
  await db.insertInto('twoFactor').values({ userId: eve.personId, secret: 's', backupCodes: 'b' }).execute();
  await db.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', eve.personId).execute();
  const before = (await listEntries(services.db)).length;
  const key = randomUUID();
  expect(await removeAdmin(services, asMia, { email: eve.email, key })).toEqual({ removed: true });
  expect(await removeAdmin(services, asMia, { email: eve.email, key })).toEqual({ removed: true });
  expect((await listEntries(services.db)).slice(before)).toEqual([
    {
      kind: 'admin.removed',
      details: `${eve.email} removed`,
      subject: 'admin',
      subjectId: eve.recordId,
      topics: ['admins', 'public-log', 'recorders', `person:${eve.personId}`, `person:${mia.personId}`, 'logs'],
    },
  ]);
  expect(await findStaff(db, eve.email)).toMatchObject({ state: 'removed' });
  expect((await readSession(services, new Headers({ cookie }), 'use')).signedIn).toBeNull();
  expect(await signIn(services, VISITOR, { email: eve.email, password: PASSWORD })).toMatchObject({ state: 'refused' });
  // Her password is kept, as the removal may be refused.
  expect(await findPasswordHash(db, eve.personId)).toBeDefined();
  const add = () =>
    addAdmin(services, asMia, { input: adminInput(eve.email, { name: 'Eve again' }), key: randomUUID() });
  expect(await add()).toEqual({ added: false, reason: 'email-in-use' });
  await endDueRemovals({ db, now: inEightDays });
  expect(await findPasswordHash(db, eve.personId)).toBeUndefined();
  // Her activities stay, under her name.
  const did = await db
    .selectFrom('activityLog')
    .innerJoin('actor', 'actor.id', 'activityLog.actorId')
    .select('actor.name')
    .where('actor.personId', '=', eve.personId)
    .execute();
  expect(did).toEqual([{ name: 'Eve' }]);
  expect(await removeAdmin(services, asMia, { email: eve.email })).toEqual({
    removed: false,
    reason: 'removed-already',
  });

  expect(await add()).toEqual({ added: true });
  const [again] = await liveAdmins(services.db, eve.email);
  expect(again).toMatchObject({ personId: eve.personId, name: 'Eve again' });
  expect(again?.id).not.toBe(eve.recordId);
  expect((await readSession(services, new Headers({ cookie }), 'use')).signedIn).toBeNull();
  expect(await signIn(services, VISITOR, { email: eve.email, password: PASSWORD })).toMatchObject({ state: 'refused' });
  expect(await signIn(services, VISITOR, { email: eve.email, password: GIVEN })).toMatchObject({
    state: 'signed-in',
  });
});

test('anybody who is a technician too stays one, and signs in as before', async () => {
  const { db } = services;
  const both = await addPerson(db, 'admin', 'both@registry.example');
  await db.insertInto('technician').values({ personId: both.personId, email: both.email, repName: 'Bo' }).execute();
  expect(await removeAdmin(services, asMia, { email: both.email })).toEqual({ removed: true });
  expect(await findAccount(db, both.personId)).toMatchObject({ role: 'technician', name: 'Bo' });
  expect((await signedIn(services, both.email)).who.role).toBe('technician');
});

test('a mail to somebody removed meanwhile is not sent', async () => {
  const email = newEmail();
  await addAdmin(services, asMia, { input: adminInput(email), key: randomUUID() });
  const mail = (await listMails(services.db)).findLast(({ kind }) => kind === 'admin-added')!;
  expect(mail.recipient).toBe(email);
  await removeAdmin(services, asMia, { email });
  expect(await services.db.transaction().execute((tx) => composeMail(services)(tx, mail))).toBeNull();
});

test('nobody removes themselves, an unknown one, or the last one who can sign in', async () => {
  const own = await createTestServices({ RATE_LIMITS: 'off' });
  try {
    const only = await addPerson(own.db, 'admin', 'only@registry.example');
    const imported = await addPerson(own.db, 'admin', 'imported@registry.example', { password: null });
    const asOnly = (await signedIn(own, only.email)).who;
    // An admin who lost their password while their page was open.
    const asImported = { ...asOnly, personId: imported.personId, email: imported.email, recordId: imported.recordId };
    expect(await removeAdmin(own, asOnly, { email: only.email })).toEqual({ removed: false, reason: 'self' });
    expect(await removeAdmin(own, asOnly, { email: 'no@body.example' })).toEqual({ removed: false, reason: 'unknown' });
    expect(await removeAdmin(own, asImported, { email: only.email })).toEqual({ removed: false, reason: 'last-admin' });
    expect(await listEntries(own.db)).toEqual([]);
    expect(await removeAdmin(own, asOnly, { email: imported.email })).toEqual({ removed: true });
    expect(await removeAdmin(own, asImported, { email: only.email })).toEqual({
      removed: false,
      reason: 'no-admin-any-more',
    });
    expect((await listEntries(own.db)).map(({ kind }) => kind)).toEqual(['admin.removed']);
  } finally {
    await own.stop();
  }
});

test('one who is admitted while a removal waits was not there when it was asked for, and stays', async () => {
  const { db } = services;
  const isSomebodyWaiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length > 0;
  };
  const removeWhileAdmitted = async (email: string) => {
    const { removal } = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('admin').select('id').where('id', '=', mia.recordId).forUpdate().execute();
      const waiting = removeAdmin(services, asMia, { email });
      await expect.poll(isSomebodyWaiting).toBe(true);
      await addPerson(db, 'admin', email);
      return { removal: waiting };
    });
    expect(await findStaff(db, email)).toMatchObject({ state: 'live' });
    return removal;
  };
  const email = newEmail();
  expect(await removeWhileAdmitted(email)).toEqual({ removed: false, reason: 'unknown' });
  // A previously removed admin is reported as removed, not as unknown.
  expect(await removeAdmin(services, asMia, { email })).toEqual({ removed: true });
  expect(await removeWhileAdmitted(email)).toEqual({ removed: false, reason: 'removed-already' });
});

test('two admins remove each other at once, again and again: one succeeds, one is told, one can sign in', async () => {
  const own = await createTestServices({ RATE_LIMITS: 'off' });
  try {
    const as = ({ personId, email, name, recordId }: Person): SignedIn => ({
      sessionId: '',
      personId,
      email,
      name,
      recordId,
      role: 'admin',
      mustChangePassword: false,
      hasSecondFactor: false,
    });
    let stays = await addPerson(own.db, 'admin', 'first@registry.example');
    // An imported admin without a password does not count as the one who stays.
    await addPerson(own.db, 'admin', 'imported@registry.example', { password: null });
    for (let race = 0; race < RACES; race += 1) {
      const other = await addPerson(own.db, 'admin', `other${race}@registry.example`);
      const answers = await Promise.all([
        removeAdmin(own, as(stays), { email: other.email }),
        removeAdmin(own, as(other), { email: stays.email }),
      ]);
      expect(answers.filter(({ removed }) => removed)).toHaveLength(1);
      expect(answers).toContainEqual({ removed: false, reason: 'no-admin-any-more' });
      if (!answers[0].removed) stays = other;
    }
    expect((await listEntries(own.db)).map(({ kind }) => kind)).toEqual(
      Array.from({ length: RACES }, () => 'admin.removed'),
    );
    expect((await signedIn(own, stays.email)).who.role).toBe('admin');
  } finally {
    await own.stop();
  }
}, 120_000);

test('two roles that end at once leave no password behind', async () => {
  const { endAccess } = await import('#app/people/end-access.server.ts');
  for (let race = 0; race < sampled(20); race += 1) {
    const { db } = services;
    const both = await addPerson(db, 'admin', newEmail());
    await db.insertInto('technician').values({ personId: both.personId, email: both.email }).execute();
    await Promise.all([
      removeAdmin(services, asMia, { email: both.email }),
      db.transaction().execute(async (tx) => {
        await tx.updateTable('technician').set({ deletedAt: new Date() }).where('email', '=', both.email).execute();
        await endAccess(tx, both.personId);
      }),
    ]);
    await endDueRemovals({ db, now: inEightDays });
    expect(await findPasswordHash(db, both.personId)).toBeUndefined();
  }
});
