import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import { findPasswordHash, findAccount } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { adminInput, GIVEN, listEntries, listMails, liveAdmins, newEmail } from '#test/admins.ts';
import { addPerson, PASSWORD, signedIn, VISITOR, type Person } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { sampled } from '#test/sample.ts';
import { addAdmin } from './add-admin.server.ts';
import { addAdminSchema } from './admin.ts';

let services: TestServices;
let mia: Person;
let asMia: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia Kowalski' });
  asMia = (await signedIn(services, mia.email)).who;
});
afterAll(() => services.stop());

test('an admin is added with everything typed, one log entry and one mail without the password', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a01414' } })
    .png()
    .toBuffer();
  const upload = await addTemporaryUpload(services, mia.personId, { role: 'image', upload: { name: 'me.png', bytes } });
  if (!upload.added) throw new Error(upload.reason);
  const email = 'ana.silva@registry.example';
  const typed = { phone: '0491 570 156', address: '1 Yard St', role: 'Inspector', dob: '1984-03-19', notes: 'Hello' };
  const before = (await listEntries(services.db)).length;
  expect(
    await addAdmin(services, asMia, {
      input: adminInput(' Ana.Silva@Registry.example ', { ...typed, name: 'Ana Silva', image: upload.id }),
      key: randomUUID(),
    }),
  ).toEqual({ added: true });
  const [admin] = await liveAdmins(services.db, email);
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
  expect((await listEntries(services.db)).slice(before)).toEqual([
    {
      kind: 'admin.added',
      details: `${email} added`,
      subject: 'admin',
      subjectId: admin?.id,
      topics: ['admins', 'public-log', 'recorders', `person:${admin?.personId}`, `person:${mia.personId}`, 'logs'],
    },
  ]);
  const [mail] = await listMails(services.db);
  expect(mail).toEqual({ kind: 'admin-added', recipient: email, facts: { by: 'Mia Kowalski' } });
  const text = await services.db.transaction().execute((tx) => composeMail(services)(tx, mail!));
  expect(text?.text).toContain('/login');
  expect(text?.text).toContain('Mia Kowalski added you as an admin');
  expect(JSON.stringify(text)).not.toContain(GIVEN);

  const answer = await signIn(services, VISITOR, { email, password: GIVEN });
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
  const [log, mail] = [(await listEntries(services.db)).length, (await listMails(services.db)).length];
  for (const email of [mia.email, tech.email])
    expect(await addAdmin(services, asMia, { input: adminInput(email), key: randomUUID() })).toEqual({
      added: false,
      reason: 'email-in-use',
    });
  const email = newEmail();
  expect(
    await addAdmin(services, asMia, { input: adminInput(email, { password: 'qwertyuiop' }), key: randomUUID() }),
  ).toMatchObject({
    reason: 'password',
  });
  expect(
    await addAdmin(services, asMia, { input: adminInput(email, { image: randomUUID() }), key: randomUUID() }),
  ).toEqual({
    added: false,
    reason: 'image-missing',
  });
  expect(await findPasswordHash(services.db, tech.personId)).toBe(hash);
  expect(await findAccount(services.db, tech.personId)).toMatchObject({ role: 'technician' });
  expect(await liveAdmins(services.db, email)).toEqual([]);
  expect([(await listEntries(services.db)).length, (await listMails(services.db)).length]).toEqual([log, mail]);
});

test('the same form sent six times at once adds one admin, and each is told so', async () => {
  const email = newEmail();
  const [log, mail, key] = [
    (await listEntries(services.db)).length,
    (await listMails(services.db)).length,
    randomUUID(),
  ];
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => addAdmin(services, asMia, { input: adminInput(email), key })),
  );
  expect(answers.every(({ added }) => added)).toBe(true);
  expect(await liveAdmins(services.db, email)).toHaveLength(1);
  expect((await listEntries(services.db)).length).toBe(log + 1);
  const mails = (await listMails(services.db)).slice(mail).map(({ kind }) => kind);
  expect(mails.filter((kind) => kind === 'admin-added')).toHaveLength(1);
  // Every admin is told, the new one too.
  const { length: all } = await services.db.selectFrom('admin').select('id').where('deletedAt', 'is', null).execute();
  expect(mails.filter((kind) => kind === 'two-people')).toHaveLength(all);
});

const RACES = sampled(100);

test('two admins add the same address at once, again and again: one wins, the other is told', async () => {
  const ben = await addPerson(services.db, 'admin', 'ben@registry.example');
  const asBen = (await signedIn(services, ben.email)).who;
  const before = (await listEntries(services.db)).length;
  for (let race = 0; race < RACES; race += 1) {
    const email = newEmail();
    const answers = await Promise.all(
      [asMia, asBen].map((who) => addAdmin(services, who, { input: adminInput(email), key: randomUUID() })),
    );
    expect(answers.filter(({ added }) => added)).toHaveLength(1);
    expect(answers).toContainEqual({ added: false, reason: 'email-in-use' });
    expect(await liveAdmins(services.db, email)).toHaveLength(1);
  }
  expect((await listEntries(services.db)).length).toBe(before + RACES);
}, 120_000);

test('an address becomes an admin’s and a technician’s at once, again and again: it becomes one of them', async () => {
  const winners = new Set<string>();
  for (let race = 0; race < RACES; race += 1) {
    const email = newEmail();
    await services.db.insertInto('application').values({ email, companyName: 'Scales' }).execute();
    // Hashing the password is slow. The pauses vary who is first: the admin or the technician.
    const pause = (race % 10) * 8;
    const [admin, technician] = await Promise.all([
      addAdmin(services, asMia, { input: adminInput(email), key: randomUUID() }),
      new Promise((resolve) => setTimeout(resolve, pause)).then(() =>
        approveApplication(services, asMia, { email, first: { by: 'link' }, key: randomUUID() }),
      ),
    ]);
    expect([admin.added, technician.approved].filter(Boolean)).toHaveLength(1);
    winners.add(admin.added ? 'admin' : 'technician');
  }
  process.stdout.write(`admitted first: ${[...winners].join(' and ')}\n`);
}, 120_000);

test('two admins who add each other’s address at once are both told, and wait for nobody', async () => {
  for (let race = 0; race < sampled(20); race += 1) {
    const [one, two] = await Promise.all(
      [newEmail(), newEmail()].map((email) => addPerson(services.db, 'admin', email, { password: null })),
    );
    const as = (person: Person): SignedIn => ({ ...asMia, ...person, role: 'admin' });
    const answers = await Promise.all([
      addAdmin(services, as(one!), { input: adminInput(two!.email), key: randomUUID() }),
      addAdmin(services, as(two!), { input: adminInput(one!.email), key: randomUUID() }),
    ]);
    expect(answers.every((answer) => !answer.added && answer.reason === 'email-in-use')).toBe(true);
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
