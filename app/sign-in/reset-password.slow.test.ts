import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openMail } from '#app/platform/mail/mail.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { composeMail } from '#server/compose-mail.ts';
import {
  isResetTokenGood,
  makeResetToken,
  requestPasswordReset,
  RESET_LINK_LIFE_MS,
  resetPassword,
} from './reset-password.server.ts';
import { readSession } from '#app/access/session.server.ts';
import { signIn } from './sign-in.server.ts';

let services: TestServices;
const EMAIL = 'mia@registry.example';
const from = (address: string) => ({ ...VISITOR, cookie: '', address });
const NEW = 'a new and longer phrase';
beforeAll(async () => {
  services = await createTestServices();
  await addPerson(services.db, 'admin', EMAIL);
  await addPerson(services.db, 'technician', 'imported@scales.example', { password: null });
});
afterAll(() => services.stop());
beforeEach(() => services.setNow(new Date(services.now().getTime() + 2 * 3_600_000).toISOString()));

const token = async (email = EMAIL) =>
  (
    await services.db
      .transaction()
      .execute((tx) => makeResetToken(tx, email, { now: services.now(), lifeMs: RESET_LINK_LIFE_MS }))
  )?.token ?? '';
const later = (ms: number) => services.setNow(new Date(services.now().getTime() + ms).toISOString());

test('asking does the same for a known and an unknown address: one mail in the outbox, nothing else', async () => {
  await requestPasswordReset(services, VISITOR, { email: EMAIL });
  await requestPasswordReset(services, VISITOR, { email: 'nobody@nowhere.example' });
  const queued = await services.db.selectFrom('mail').select(['kind', 'recipient', 'facts']).orderBy('id').execute();
  expect(queued).toEqual([
    { kind: 'password-reset', recipient: EMAIL, facts: {} },
    { kind: 'password-reset', recipient: 'nobody@nowhere.example', facts: {} },
  ]);
  expect(await services.db.selectFrom('resetToken').selectAll().execute()).toEqual([]);

  const outbox = openMail(services, composeMail(services), HELD_LEASE);
  await outbox.sendWaiting();
  await outbox.close();
  const folder = path.join(services.config.dataDir, 'outbox');
  const files = await readdir(folder);
  expect(files).toHaveLength(1);
  const mail = await readFile(path.join(folder, files[0] ?? ''), 'utf8');
  expect(mail).toContain(`To: ${EMAIL}`);
  // Quoted-printable wraps long lines with a trailing '='.
  expect(mail.replaceAll(/=\r?\n/g, '')).toMatch(/http:\/\/localhost:3000\/reset\/[A-Za-z0-9_-]{43}/);
  expect(await services.db.selectFrom('mail').selectAll().execute()).toEqual([]);
});

test('three an hour for each typed address, known or not, from one client; nobody else is kept from asking', async () => {
  const ask = (email: string, client: string) => requestPasswordReset(services, from(client), { email });
  for (const email of [EMAIL, 'nobody@nowhere.example']) {
    for (let index = 0; index < 3; index += 1) expect(await ask(email, '198.51.100.1')).toEqual({ asked: true });
    expect(await ask(email, '198.51.100.1')).toEqual({ asked: false, retryAfterSeconds: 3600 });
    expect(await ask(email, '192.0.2.7')).toEqual({ asked: true });
  }
  later(3_600_001);
  expect(await ask(EMAIL, '198.51.100.1')).toEqual({ asked: true });
  await services.db.deleteFrom('mail').execute();
});

test('thirty an hour for an address from all strangers together; who signed in before asks all the same', async () => {
  const { cookie } = await signedIn(services, EMAIL);
  const ask = (client: string) => requestPasswordReset(services, from(client), { email: EMAIL });
  for (let index = 0; index < 30; index += 1) expect(await ask(`203.0.113.${index}`)).toEqual({ asked: true });
  expect(await ask('203.0.113.99')).toEqual({ asked: false, retryAfterSeconds: 3600 });
  const mine = () => requestPasswordReset(services, { ...VISITOR, cookie }, { email: EMAIL });
  for (let index = 0; index < 3; index += 1) expect(await mine()).toEqual({ asked: true });
  expect(await mine()).toEqual({ asked: false, retryAfterSeconds: 3600 });
  later(3_600_001);
  expect(await ask('203.0.113.99')).toEqual({ asked: true });
  await services.db.deleteFrom('mail').execute();
});

test('ten an hour from a client, whichever addresses it asks for', async () => {
  const ask = (index: number) =>
    requestPasswordReset(services, from('203.0.113.9'), { email: `person${index}@nowhere.example` });
  const answers = await Promise.all(Array.from({ length: 14 }, (_, index) => ask(index)));
  expect(answers.filter(({ asked }) => asked)).toHaveLength(10);
  expect(await ask(99)).toEqual({ asked: false, retryAfterSeconds: 3600 });
  later(3_600_001);
  expect(await ask(99)).toEqual({ asked: true });
  await services.db.deleteFrom('mail').execute();
});

test('the database holds no link: only the hash of the token', async () => {
  const made = await token();
  const rows = await services.db.selectFrom('resetToken').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(made);
  expect(rows).toHaveLength(1);
});

test('a link sets the password once and ends every session; the log says so', async () => {
  const open = await signedIn(services, EMAIL);
  const made = await token();
  expect(await isResetTokenGood(services, made)).toBe(true);
  expect(await resetPassword(services, { token: made, password: 'password1' })).toMatchObject({ reason: 'password' });
  expect(await resetPassword(services, { token: made, password: NEW })).toEqual({ reset: true });
  expect((await readSession(services, new Headers({ cookie: open.cookie }), 'use')).signedIn).toBeNull();
  expect(await isResetTokenGood(services, made)).toBe(false);
  expect(await resetPassword(services, { token: made, password: PASSWORD })).toMatchObject({ reason: 'link-used' });
  expect(await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD })).toEqual({ state: 'refused' });
  expect(await signIn(services, VISITOR, { email: EMAIL, password: NEW })).toMatchObject({ state: 'signed-in' });
  const logged = await services.db.selectFrom('activityLog').select(['kind', 'subject']).execute();
  expect(logged).toEqual([{ kind: 'password.reset', subject: 'admin' }]);
});

test('of many at once with one link, one wins', async () => {
  const made = await token();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => resetPassword(services, { token: made, password: `${NEW} ${index}` })),
  );
  expect(answers.filter(({ reset }) => reset)).toHaveLength(1);
});

test('only the newest link works, and not after 30 minutes', async () => {
  const older = await token();
  const newer = await token();
  expect(await isResetTokenGood(services, older)).toBe(false);
  later(29 * 60_000);
  expect(await isResetTokenGood(services, newer)).toBe(true);
  later(60_001);
  expect(await isResetTokenGood(services, newer)).toBe(false);
  expect(await resetPassword(services, { token: newer, password: NEW })).toMatchObject({ reason: 'link-used' });
});

test('an imported person begins with a link', async () => {
  const made = await token('imported@scales.example');
  expect(await resetPassword(services, { token: made, password: NEW })).toEqual({ reset: true });
  expect(await signIn(services, VISITOR, { email: 'imported@scales.example', password: NEW })).toMatchObject({
    state: 'signed-in',
    mustChangePassword: false,
  });
});

test('a link to somebody removed since is worth nothing', async () => {
  const person = await addPerson(services.db, 'admin', 'gone@registry.example');
  const made = await token('gone@registry.example');
  await services.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', person.recordId).execute();
  expect(await resetPassword(services, { token: made, password: NEW })).toMatchObject({ reason: 'link-used' });
});

test.each(['', 'x', '../etc', 'a'.repeat(44), 'a'.repeat(100_000), '%00'])(
  'a made-up link is none: %s',
  async (text) => {
    expect(await isResetTokenGood(services, text)).toBe(false);
    expect(await resetPassword(services, { token: text, password: NEW })).toMatchObject({ reason: 'link-used' });
  },
);
