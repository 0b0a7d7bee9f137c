import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, cookieOf, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { openAuth } from '#app/platform/auth/auth.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import { changePassword } from './change-password.server.ts';
import { findKnownDevice } from './known-device.server.ts';
import { setPassword } from './set-password.server.ts';
import { readSession } from '#app/access/session.server.ts';
import { signIn, signInWithCode } from './sign-in.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
  await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia' });
  await addPerson(services.db, 'technician', 'j.nguyen@scales.example', { name: 'J. Nguyen' });
  await addPerson(services.db, 'admin', 'imported@registry.example', { password: null });
});
afterAll(() => services.stop());
let minutes = 0;
// Each test runs four hours after the one before, so that it never meets that one's limits.
afterEach(() =>
  services.setNow(new Date(Date.parse('2026-11-21T00:00:00Z') + (minutes += 240) * 60_000).toISOString()),
);
const later = (ms: number) => services.setNow(new Date(services.now().getTime() + ms).toISOString());

const attempt = (email: string, password = 'wrong', address = VISITOR.address) =>
  signIn(services, { ...VISITOR, address }, { email, password });

test('the right password signs in, no matter who it is, with their own role', async () => {
  expect((await signedIn(services, 'mia@registry.example')).who).toMatchObject({ role: 'admin', name: 'Mia' });
  expect((await signedIn(services, 'j.nguyen@scales.example')).who).toMatchObject({
    role: 'technician',
    name: 'J. Nguyen',
  });
});

test('a wrong password, an unknown address and one without a password get the same answer', async () => {
  expect(await attempt('mia@registry.example')).toEqual({ state: 'refused' });
  expect(await attempt('nobody@registry.example')).toEqual({ state: 'refused' });
  expect(await attempt('imported@registry.example')).toEqual({ state: 'refused' });
  expect(await attempt('mia@registry.example', 'x'.repeat(129))).toEqual({ state: 'refused' });
});

test('five tries a minute for an account from a client, known or not; then a minute later again', async () => {
  for (const email of ['mia@registry.example', 'nobody@registry.example']) {
    const begun = services.now().getTime();
    for (let index = 0; index < 5; index += 1) expect(await attempt(email)).toEqual({ state: 'refused' });
    // The sixth attempt is refused even with the right password.
    expect(await attempt(email, PASSWORD)).toEqual({ state: 'too-many', retryAfterSeconds: 60 });
    expect(await attempt(email, 'wrong', '198.51.100.1')).toEqual({ state: 'refused' });
    services.setNow(new Date(begun + 59_000).toISOString());
    expect(await attempt(email)).toEqual({ state: 'too-many', retryAfterSeconds: 1 });
    services.setNow(new Date(begun + 60_001).toISOString());
    expect(await attempt(email)).toEqual({ state: 'refused' });
    services.setNow(new Date(begun + 7_200_000).toISOString());
  }
});

test('thirty an hour from all strangers together, known or not; who signed in before comes in all the same', async () => {
  const known = await signedIn(services, 'mia@registry.example');
  later(7_200_000);
  const begun = services.now().getTime();
  for (const email of ['mia@registry.example', 'nobody@registry.example']) {
    for (let index = 0; index < 30; index += 1)
      expect(await attempt(email, 'wrong', `198.51.100.${index}`)).toEqual({ state: 'refused' });
    expect(await attempt(email, PASSWORD, '203.0.113.77')).toEqual({ state: 'too-many', retryAfterSeconds: 3600 });
  }
  const mine = { ...VISITOR, cookie: known.cookie };
  expect(await signIn(services, mine, { email: 'mia@registry.example', password: PASSWORD })).toMatchObject({
    state: 'signed-in',
  });
  services.setNow(new Date(begun + 3_600_001).toISOString());
  expect(await attempt('mia@registry.example', 'wrong', '203.0.113.77')).toEqual({ state: 'refused' });
});

test('ten tries a minute from a device that has signed in, from wherever it is', async () => {
  const { cookie } = await signedIn(services, 'mia@registry.example');
  const mine = (address: string, password = 'wrong') =>
    signIn(services, { ...VISITOR, address, cookie }, { email: 'mia@registry.example', password });
  for (let index = 0; index < 10; index += 1) expect(await mine(`203.0.113.${index}`)).toEqual({ state: 'refused' });
  expect(await mine('203.0.113.99', PASSWORD)).toEqual({ state: 'too-many', retryAfterSeconds: 60 });
  // Attempts without the device's cookie count apart.
  expect(await attempt('mia@registry.example', 'wrong', '203.0.113.99')).toEqual({ state: 'refused' });
  later(60_001);
  expect(await mine('203.0.113.99', PASSWORD)).toMatchObject({ state: 'signed-in' });
});

test('a device is known for the accounts that signed in from it, and under their passwords only', async () => {
  const email = 'shares@registry.example';
  await addPerson(services.db, 'admin', email);
  const other = 'j.nguyen@scales.example';
  const first = await signedIn(services, email);
  const device = /registry\.device=[^;]+/.exec(first.cookie)?.[0] ?? '';
  expect(await findKnownDevice(services, device, email)).toBeDefined();
  expect(await findKnownDevice(services, device, other)).toBeUndefined();
  expect(await findKnownDevice(services, device, 'nobody@registry.example')).toBeUndefined();
  const flipped = device.replace(/=(.)/, (_, letter: string) => `=${letter === 'A' ? 'B' : 'A'}`);
  expect(await findKnownDevice(services, flipped, email)).toBeUndefined();

  // A shared computer is known for both accounts, and for none of them under another secret.
  const second = await signedIn(services, other, { ...VISITOR, cookie: first.cookie });
  expect(await findKnownDevice(services, second.cookie, email)).toBeDefined();
  expect(await findKnownDevice(services, second.cookie, other)).toBeDefined();
  const auth = openAuth({ ...services, secret: 'another secret, of another registry' });
  expect(await findKnownDevice({ ...services, auth }, second.cookie, email)).toBeUndefined();

  // A device that signed in with a stolen password is unknown after the password changes.
  const { personId } = first.who;
  const hash = await hashPassword('an entirely new phrase');
  await services.db
    .transaction()
    .execute((tx) => setPassword(tx, { personId, name: '', email, hash, mustChange: false }));
  expect(await findKnownDevice(services, second.cookie, email)).toBeUndefined();
  expect(await findKnownDevice(services, second.cookie, other)).toBeDefined();
});

test('a device on which somebody changes their password stays known', async () => {
  const email = 'changes@registry.example';
  await addPerson(services.db, 'admin', email);
  const { cookie, who } = await signedIn(services, email);
  const input = { current: PASSWORD, password: 'an entirely new phrase' };
  const answer = await changePassword(services, who, { visitor: { ...VISITOR, cookie }, ...input });
  if (!answer.changed) throw new Error(answer.message);
  expect(await findKnownDevice(services, cookie, email)).toBeUndefined();
  expect(await findKnownDevice(services, cookieOf(answer.setCookies), email)).toBeDefined();
});

test.each(['%E0%A4%A', '%', '%00', `%00.${'a'.repeat(43)}%3D`, '\0', 'a', ''])(
  'a second step with the cookie %j is refused',
  async (value) => {
    const cookie = `registry.two_factor=${value}`;
    expect(await signInWithCode(services, { ...VISITOR, cookie }, '000000')).toEqual({ state: 'refused' });
  },
);

test('twenty tries a minute from an address, also at once; others are not locked out', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => attempt(`person${index}@x.example`, 'wrong', '203.0.113.5')),
  );
  expect(answers.filter(({ state }) => state === 'refused')).toHaveLength(20);
  expect(answers.filter(({ state }) => state === 'too-many')).toHaveLength(10);
  expect(await attempt('mia@registry.example', PASSWORD, '203.0.113.6')).toMatchObject({ state: 'signed-in' });
});

test('a session before the sign-in ends with it, and a chosen id is never taken', async () => {
  const first = await signedIn(services, 'mia@registry.example');
  const planted = 'registry.session_token=planted-by-somebody.c2lnbmF0dXJl';
  const answer = await signIn(
    services,
    { ...VISITOR, cookie: `${planted}; ${first.cookie}` },
    { email: 'mia@registry.example', password: PASSWORD },
  );
  expect(answer.state === 'signed-in' && answer.setCookies.join()).not.toContain('planted');
  const after = await signIn(
    services,
    { ...VISITOR, cookie: first.cookie },
    { email: 'mia@registry.example', password: PASSWORD },
  );
  expect(after.state).toBe('signed-in');
  expect((await readSession(services, new Headers({ cookie: first.cookie }), 'look')).signedIn).toBeNull();
});

test('a person without a role any more is refused like a wrong password, and their session reads as nobody', async () => {
  const person = await addPerson(services.db, 'admin', 'leaver@registry.example');
  const { cookie } = await signedIn(services, 'leaver@registry.example');
  await services.db.updateTable('admin').set({ deletedAt: new Date() }).where('id', '=', person.recordId).execute();
  expect((await readSession(services, new Headers({ cookie }), 'use')).signedIn).toBeNull();
  expect(await attempt('leaver@registry.example', PASSWORD)).toEqual({ state: 'refused' });
  expect(
    await services.db.selectFrom('session').selectAll().where('userId', '=', person.personId).execute(),
  ).toHaveLength(0);
});

test('with RATE_LIMITS off nothing is counted', async () => {
  const free = { ...services, config: { ...services.config, rateLimits: false } };
  for (let index = 0; index < 8; index += 1)
    expect(await signIn(free, VISITOR, { email: 'mia@registry.example', password: 'wrong' })).toEqual({
      state: 'refused',
    });
});
