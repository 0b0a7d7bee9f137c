import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeMail } from '#app/account/mails.server.ts';
import { findPasswordHash, findStanding } from '#app/account/queries.server.ts';
import { readSession, type SignedIn } from '#app/account/session.server.ts';
import { signIn } from '#app/account/sign-in.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { stageUpload } from '#app/files/stage-upload.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { addPerson, PASSWORD, signedIn, VISITOR, type Person } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addAdmin } from './add-admin.server.ts';
import { addAdminSchema } from './admin.ts';
import { findAdmin } from './queries.server.ts';
import { removeAdmin } from './remove-admin.server.ts';

let services: TestServices;
let mia: Person;
let asMia: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia Kowalski' });
  asMia = (await signedIn(services, mia.email)).who;
});
afterAll(() => services.stop());

let made = 0;
const newEmail = () => `new${(made += 1)}@registry.example`;
const input = (email: string, more: Record<string, string> = {}) =>
  addAdminSchema.parse({ email, password: 'nine green weighbridges', name: 'New One', ...more });
const entries = (db: Services['db'] = services.db) =>
  db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'details', 'topics', 'subject', 'subjectId'])
    .orderBy('activityLog.index')
    .execute();
const mails = () => services.db.selectFrom('mail').select(['kind', 'recipient', 'facts']).orderBy('id').execute();
const liveAdmins = (email: string) =>
  services.db.selectFrom('admin').selectAll().where('email', '=', email).where('deletedAt', 'is', null).execute();

test('an admin is added with everything typed, one log entry and one mail without the password', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a01414' } })
    .png()
    .toBuffer();
  const staged = await stageUpload(services, mia.personId, 'image', { name: 'me.png', bytes });
  if (!staged.staged) throw new Error(staged.reason);
  const email = 'ana.silva@registry.example';
  const typed = { phone: '0491 570 156', address: '1 Yard St', role: 'Inspector', dob: '1984-03-19', notes: 'Hello' };
  const before = (await entries()).length;
  expect(
    await addAdmin(
      services,
      asMia,
      input(' Ana.Silva@Registry.example ', { ...typed, name: 'Ana Silva', image: staged.id }),
      randomUUID(),
    ),
  ).toEqual({ added: true });
  const [admin] = await liveAdmins(email);
  expect(admin).toMatchObject({
    name: 'Ana Silva',
    phone: '0491 570 156',
    address: '1 Yard St',
    roleLabel: 'Inspector',
    bornOn: '1984-03-19',
    notes: 'Hello',
    version: 1,
  });
  const file = await services.db
    .selectFrom('storedFile')
    .select('storageKey')
    .where('id', '=', admin?.imageId ?? '')
    .executeTakeFirstOrThrow();
  expect(file.storageKey).toMatch(/^admins\/ana,silva@registry,example\/[0-9a-f]{64}\.png$/);
  expect((await entries()).slice(before)).toEqual([
    {
      kind: 'admin.added',
      details: `${email} added`,
      subject: 'admin',
      subjectId: admin?.id,
      topics: ['admins', 'logs', `person:${admin?.personId}`, `person:${mia.personId}`],
    },
  ]);
  const [mail] = await mails();
  expect(mail).toEqual({ kind: 'admin-added', recipient: email, facts: { by: 'Mia Kowalski' } });
  const text = await services.db.transaction().execute((tx) => composeMail(services)(tx, mail!));
  expect(text?.text).toContain('/login');
  expect(text?.text).toContain('Mia Kowalski added you as an admin');
  expect(JSON.stringify(text)).not.toContain('nine green weighbridges');

  const answer = await signIn(services, VISITOR, { email, password: 'nine green weighbridges' });
  expect(answer).toMatchObject({ state: 'signed-in' });
  const user = await services.db
    .selectFrom('user')
    .select('mustChangePassword')
    .where('id', '=', admin?.personId ?? '')
    .executeTakeFirstOrThrow();
  expect(user.mustChangePassword).toBe(true);
});

test('an address in use, a common password, a picture that is gone: nothing is written', async () => {
  const tech = await addPerson(services.db, 'technician', 'tech@scales.example');
  const hash = await findPasswordHash(services.db, tech.personId);
  const [log, mail] = [(await entries()).length, (await mails()).length];
  for (const email of [mia.email, tech.email])
    expect(await addAdmin(services, asMia, input(email), randomUUID())).toEqual({
      added: false,
      reason: 'email-in-use',
    });
  const email = newEmail();
  expect(await addAdmin(services, asMia, input(email, { password: 'qwertyuiop' }), randomUUID())).toMatchObject({
    reason: 'password',
  });
  expect(await addAdmin(services, asMia, input(email, { image: randomUUID() }), randomUUID())).toEqual({
    added: false,
    reason: 'image-missing',
  });
  expect(await findPasswordHash(services.db, tech.personId)).toBe(hash);
  expect(await findStanding(services.db, tech.personId)).toMatchObject({ role: 'technician' });
  expect(await liveAdmins(email)).toEqual([]);
  expect([(await entries()).length, (await mails()).length]).toEqual([log, mail]);
});

test('the same form sent six times at once adds one admin, and each is told so', async () => {
  const email = newEmail();
  const [log, mail, key] = [(await entries()).length, (await mails()).length, randomUUID()];
  const answers = await Promise.all(Array.from({ length: 6 }, () => addAdmin(services, asMia, input(email), key)));
  expect(answers.every(({ added }) => added)).toBe(true);
  expect(await liveAdmins(email)).toHaveLength(1);
  expect([(await entries()).length, (await mails()).length]).toEqual([log + 1, mail + 1]);
});

test('100 times two admins add the same address at once: one wins, the other is told', async () => {
  const ben = await addPerson(services.db, 'admin', 'ben@registry.example');
  const asBen = (await signedIn(services, ben.email)).who;
  const before = (await entries()).length;
  for (let race = 0; race < 100; race += 1) {
    const email = newEmail();
    const answers = await Promise.all([asMia, asBen].map((who) => addAdmin(services, who, input(email), randomUUID())));
    expect(answers.filter(({ added }) => added)).toHaveLength(1);
    expect(answers).toContainEqual({ added: false, reason: 'email-in-use' });
    expect(await liveAdmins(email)).toHaveLength(1);
  }
  expect((await entries()).length).toBe(before + 100);
}, 120_000);

test('100 times an address becomes an admin’s and a technician’s at once: it becomes one of them', async () => {
  const winners = new Set<string>();
  for (let race = 0; race < 100; race += 1) {
    const email = newEmail();
    await services.db.insertInto('application').values({ email, companyName: 'Scales' }).execute();
    // The hash takes its time: now and then the technician is first, now and then not.
    const pause = (race % 10) * 8;
    const [admin, technician] = await Promise.all([
      addAdmin(services, asMia, input(email), randomUUID()),
      new Promise((resolve) => setTimeout(resolve, pause)).then(() =>
        approveApplication(services, asMia, email, { by: 'link' }, randomUUID()),
      ),
    ]);
    expect([admin.added, technician.approved].filter(Boolean)).toHaveLength(1);
    winners.add(admin.added ? 'admin' : 'technician');
  }
  process.stdout.write(`admitted first: ${[...winners].join(' and ')}\n`);
}, 120_000);

test('two admins who add each other’s address at once are both told, and wait for nobody', async () => {
  for (let race = 0; race < 20; race += 1) {
    const [one, two] = await Promise.all(
      [newEmail(), newEmail()].map((email) => addPerson(services.db, 'admin', email, { password: null })),
    );
    const as = (person: Person): SignedIn => ({ ...asMia, ...person, role: 'admin' });
    const answers = await Promise.all([
      addAdmin(services, as(one!), input(two!.email), randomUUID()),
      addAdmin(services, as(two!), input(one!.email), randomUUID()),
    ]);
    expect(answers.every((answer) => !answer.added && answer.reason === 'email-in-use')).toBe(true);
  }
});

test('a removed admin loses every access at once; added again nothing of it revives', async () => {
  const { db } = services;
  const eve = await addPerson(db, 'admin', 'eve@registry.example', { name: 'Eve' });
  const { cookie, who: asEve } = await signedIn(services, eve.email);
  await addAdmin(services, asEve, input(newEmail()), randomUUID());
  await db.insertInto('twoFactor').values({ userId: eve.personId, secret: 's', backupCodes: 'b' }).execute();
  await db.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', eve.personId).execute();
  const before = (await entries()).length;
  expect(await removeAdmin(db, asMia, eve.email)).toEqual({ removed: true });
  expect((await entries()).slice(before)).toEqual([
    {
      kind: 'admin.removed',
      details: `${eve.email} removed`,
      subject: 'admin',
      subjectId: eve.recordId,
      topics: ['admins', 'logs', `person:${eve.personId}`, `person:${mia.personId}`],
    },
  ]);
  expect(await findAdmin(db, eve.email)).toMatchObject({ state: 'removed' });
  expect((await readSession(services, new Headers({ cookie }), { isUse: true })).signedIn).toBeNull();
  expect(await signIn(services, VISITOR, { email: eve.email, password: PASSWORD })).toMatchObject({ state: 'refused' });
  expect(await findPasswordHash(db, eve.personId)).toBeUndefined();
  // What she did stays, under her name.
  const did = await db
    .selectFrom('activityLog')
    .innerJoin('actor', 'actor.id', 'activityLog.actorId')
    .select('actor.name')
    .where('actor.personId', '=', eve.personId)
    .execute();
  expect(did).toEqual([{ name: 'Eve' }]);
  expect(await removeAdmin(db, asMia, eve.email)).toEqual({ removed: false, reason: 'removed-already' });

  expect(await addAdmin(services, asMia, input(eve.email, { name: 'Eve again' }), randomUUID())).toEqual({
    added: true,
  });
  const [again] = await liveAdmins(eve.email);
  expect(again).toMatchObject({ personId: eve.personId, name: 'Eve again' });
  expect(again?.id).not.toBe(eve.recordId);
  expect((await readSession(services, new Headers({ cookie }), { isUse: true })).signedIn).toBeNull();
  expect(await signIn(services, VISITOR, { email: eve.email, password: PASSWORD })).toMatchObject({ state: 'refused' });
  expect(await signIn(services, VISITOR, { email: eve.email, password: 'nine green weighbridges' })).toMatchObject({
    state: 'signed-in',
  });
});

test('whoever is a technician too stays one, and signs in as before', async () => {
  const { db } = services;
  const both = await addPerson(db, 'admin', 'both@registry.example');
  await db.insertInto('technician').values({ personId: both.personId, email: both.email, repName: 'Bo' }).execute();
  expect(await removeAdmin(db, asMia, both.email)).toEqual({ removed: true });
  expect(await findStanding(db, both.personId)).toMatchObject({ role: 'technician', name: 'Bo' });
  expect((await signedIn(services, both.email)).who.role).toBe('technician');
});

test('a mail to somebody removed meanwhile is not sent', async () => {
  const email = newEmail();
  await addAdmin(services, asMia, input(email), randomUUID());
  const mail = (await mails()).at(-1)!;
  expect(mail.recipient).toBe(email);
  await removeAdmin(services.db, asMia, email);
  expect(await services.db.transaction().execute((tx) => composeMail(services)(tx, mail))).toBeNull();
});

test('nobody removes themselves, an unknown one, or the last one who can sign in', async () => {
  const own = await createTestServices({ RATE_LIMITS: 'off' });
  try {
    const only = await addPerson(own.db, 'admin', 'only@registry.example');
    const imported = await addPerson(own.db, 'admin', 'imported@registry.example', { password: null });
    const asOnly = (await signedIn(own, only.email)).who;
    // One whose password was taken away while their page was open.
    const asImported = { ...asOnly, personId: imported.personId, email: imported.email, recordId: imported.recordId };
    expect(await removeAdmin(own.db, asOnly, only.email)).toEqual({ removed: false, reason: 'self' });
    expect(await removeAdmin(own.db, asOnly, 'no@body.example')).toEqual({ removed: false, reason: 'unknown' });
    expect(await removeAdmin(own.db, asImported, only.email)).toEqual({ removed: false, reason: 'last-admin' });
    expect(await entries(own.db)).toEqual([]);
    expect(await removeAdmin(own.db, asOnly, imported.email)).toEqual({ removed: true });
    expect(await removeAdmin(own.db, asImported, only.email)).toEqual({
      removed: false,
      reason: 'no-admin-any-more',
    });
    expect((await entries(own.db)).map(({ kind }) => kind)).toEqual(['admin.removed']);
  } finally {
    await own.stop();
  }
});

test('100 times two admins remove each other at once: one succeeds, one is told, one can sign in', async () => {
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
    // Imported ones without a password stand beside them, and save nobody.
    await addPerson(own.db, 'admin', 'imported@registry.example', { password: null });
    for (let race = 0; race < 100; race += 1) {
      const other = await addPerson(own.db, 'admin', `other${race}@registry.example`);
      const answers = await Promise.all([
        removeAdmin(own.db, as(stays), other.email),
        removeAdmin(own.db, as(other), stays.email),
      ]);
      expect(answers.filter(({ removed }) => removed)).toHaveLength(1);
      expect(answers).toContainEqual({ removed: false, reason: 'no-admin-any-more' });
      if (!answers[0].removed) stays = other;
    }
    expect((await entries(own.db)).map(({ kind }) => kind)).toEqual(Array.from({ length: 100 }, () => 'admin.removed'));
    expect((await signedIn(own, stays.email)).who.role).toBe('admin');
  } finally {
    await own.stop();
  }
}, 120_000);

test('two roles that end at once leave no password behind', async () => {
  const { endAccess } = await import('#app/account/end-access.server.ts');
  for (let race = 0; race < 20; race += 1) {
    const { db } = services;
    const both = await addPerson(db, 'admin', newEmail());
    await db.insertInto('technician').values({ personId: both.personId, email: both.email }).execute();
    await Promise.all([
      removeAdmin(db, asMia, both.email),
      db.transaction().execute(async (tx) => {
        await tx.updateTable('technician').set({ deletedAt: new Date() }).where('email', '=', both.email).execute();
        await endAccess(tx, both.personId);
      }),
    ]);
    expect(await findPasswordHash(db, both.personId)).toBeUndefined();
  }
});

test.each([
  [{ email: '' }, 'email', 'Enter an email address.'],
  [{ email: 'a,b@site.example' }, 'email', 'An email address has no comma.'],
  [{ email: 'nobody' }, 'email', 'Enter an email address such as name@site.com.au.'],
  [{ password: '' }, 'password', 'Enter a password.'],
  [{ password: 'short' }, 'password', 'Use at least 8 characters.'],
  [{ password: 'x'.repeat(129) }, 'password', 'Use at most 128 characters.'],
  [{ name: 'x'.repeat(201) }, 'name', 'Use at most 200 characters.'],
  [{ role: 'x'.repeat(101) }, 'role', 'Use at most 100 characters.'],
  [{ dob: '2999-01-01' }, 'dob', 'Enter a date such as 14 May 1980.'],
])('%j is refused at its field', (given, field, message) => {
  const parsed = addAdminSchema.safeParse({ email: 'a@site.example', password: PASSWORD, ...given });
  expect(parsed.error?.issues[0]).toMatchObject({ path: [field], message });
});
