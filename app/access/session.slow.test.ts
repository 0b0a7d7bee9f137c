import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, cookieOf, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { changePassword } from '#app/sign-in/change-password.server.ts';
import { endSessions, signOut } from '#app/sign-in/end-session.server.ts';
import { listSessions } from './queries.server.ts';
import { readSession } from './session.server.ts';

let services: TestServices;
const EMAIL = 'mia@registry.example';
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await addPerson(services.db, 'admin', EMAIL);
});
afterAll(() => services.stop());
afterEach(() => vi.useRealTimers());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

// Sets both clocks: Date, which the library reads, and `services.now`.
function clock(): { pass: (ms: number) => void } {
  let now = Date.now();
  const set = () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    services.setNow(new Date(now).toISOString());
  };
  set();
  return {
    pass(ms) {
      now += ms;
      set();
    },
  };
}

const read = async (cookie: string, purpose: 'use' | 'look' = 'use') =>
  readSession(services, new Headers({ cookie }), purpose);

test('a session ends two hours after its last use, not before', async () => {
  const time = clock();
  const { cookie } = await signedIn(services, EMAIL);
  time.pass(2 * HOUR - MINUTE);
  const used = await read(cookie);
  expect(used.signedIn).not.toBeNull();
  expect(used.setCookies.join()).toContain('Max-Age=7200');
  time.pass(2 * HOUR - MINUTE);
  expect((await read(cookie)).signedIn).not.toBeNull();
  time.pass(2 * HOUR + MINUTE);
  expect((await read(cookie)).signedIn).toBeNull();
});

test('what a page fetches by itself keeps no session alive', async () => {
  const time = clock();
  const { cookie } = await signedIn(services, EMAIL);
  for (let minutes = 0; minutes < 119; minutes += 7) {
    time.pass(7 * MINUTE);
    const background = await read(cookie, 'look');
    if (minutes + 7 < 120) expect(background).toMatchObject({ signedIn: { email: EMAIL }, setCookies: [] });
  }
  time.pass(5 * MINUTE);
  expect((await read(cookie)).signedIn).toBeNull();
});

test('and it ends twelve hours after the sign-in, however much it is used', async () => {
  const time = clock();
  const { cookie } = await signedIn(services, EMAIL);
  for (let hours = 1; hours < 12; hours += 1) {
    time.pass(HOUR);
    expect((await read(cookie)).signedIn).not.toBeNull();
  }
  time.pass(HOUR);
  expect((await read(cookie)).signedIn).toBeNull();
  expect((await read(cookie)).signedIn).toBeNull();
});

test('the token has at least 128 random bits, and the cookie is signed with what the database does not hold', async () => {
  const { cookie, who } = await signedIn(services, EMAIL);
  const { token } = await services.db
    .selectFrom('session')
    .select('token')
    .where('id', '=', who.sessionId)
    .executeTakeFirstOrThrow();
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/); // 32 of 62 letters: 190 bits
  expect(cookie).toContain(`${token}.`);
  const value = decodeURIComponent(cookie.split('=')[1] ?? '');
  for (const forged of [token, `${token}.`, `${token}.${'A'.repeat(43)}=`, `${value.slice(0, -4)}AAA=`])
    expect((await read(`registry.session_token=${encodeURIComponent(forged)}`)).signedIn).toBeNull();
  expect((await read(cookie)).signedIn).not.toBeNull();
});

test('over https the cookie is host-bound, and one without the prefix is none', async () => {
  const https = await createTestServices({ PUBLIC_URL: 'https://registry.example', RATE_LIMITS: 'off' });
  await addPerson(https.db, 'admin', EMAIL);
  const { signIn } = await import('#app/sign-in/sign-in.server.ts');
  const answer = await signIn(https, VISITOR, { email: EMAIL, password: PASSWORD });
  const line = answer.state === 'signed-in' ? (answer.setCookies[0] ?? '') : '';
  expect(line).toMatch(/^__Host-registry\.session_token=/);
  expect(line).toMatch(/; Secure/);
  expect(line).toMatch(/; HttpOnly/);
  expect(line).toMatch(/; SameSite=Lax/);
  expect(line).toMatch(/; Path=\//);
  expect(line).not.toMatch(/Domain/i);
  const cookie = cookieOf([line]);
  expect((await readSession(https, new Headers({ cookie }), 'use')).signedIn).not.toBeNull();
  const bare = cookie.replace('__Host-', '');
  expect((await readSession(https, new Headers({ cookie: bare }), 'use')).signedIn).toBeNull();
  await https.stop();
});

test('signing out kills the session on the server: the cookie is worth nothing afterwards', async () => {
  const { cookie } = await signedIn(services, EMAIL);
  const setCookies = await signOut(services, cookie);
  expect(setCookies.join()).toMatch(/registry\.session_token=;.*Max-Age=0/);
  expect((await read(cookie)).signedIn).toBeNull();
});

test('a changed password ends every other session, and this browser goes on with a new one', async () => {
  const other = await signedIn(services, EMAIL);
  const { cookie, who } = await signedIn(services, EMAIL);
  const wrong = await changePassword(services, who, {
    visitor: VISITOR,
    current: 'nope',
    password: 'a new long phrase',
  });
  expect(wrong).toMatchObject({ changed: false, field: 'current_password' });
  const common = await changePassword(services, who, { visitor: VISITOR, current: PASSWORD, password: 'Password123' });
  expect(common).toMatchObject({ changed: false, field: 'password' });
  expect((await read(other.cookie)).signedIn).not.toBeNull();

  const answer = await changePassword(services, who, {
    visitor: VISITOR,
    current: PASSWORD,
    password: 'a new long phrase',
  });
  expect((await read(other.cookie)).signedIn).toBeNull();
  expect((await read(cookie)).signedIn).toBeNull();
  const fresh = answer.changed ? cookieOf(answer.setCookies) : '';
  const now = (await read(fresh)).signedIn;
  expect(now).toMatchObject({ email: EMAIL });
  const logged = await services.db.selectFrom('activityLog').select('kind').execute();
  expect(logged.map(({ kind }) => kind)).toEqual(['password.changed']);
  if (now === null) throw new Error('not signed in');
  expect(
    await changePassword(services, now, { visitor: VISITOR, current: 'a new long phrase', password: PASSWORD }),
  ).toMatchObject({ changed: true });
});

test('one ends one’s own sessions, and nobody else’s', async () => {
  await addPerson(services.db, 'technician', 'tech@scales.example');
  const tech = await signedIn(services, 'tech@scales.example');
  const here = await signedIn(services, EMAIL);
  await endSessions(services, here.who, 'others');
  const there = await signedIn(services, EMAIL, { ...VISITOR, address: '198.51.100.4' });
  expect(await listSessions(services.db, here.who.personId)).toMatchObject([
    { ipAddress: '198.51.100.4', userAgent: VISITOR.userAgent },
    { ipAddress: '192.0.2.7' },
  ]);
  expect(await endSessions(services, tech.who, { id: here.who.sessionId })).toBe(0);
  expect(await endSessions(services, here.who, { id: there.who.sessionId })).toBe(1);
  expect((await read(there.cookie)).signedIn).toBeNull();
  expect(await endSessions(services, here.who, 'others')).toBe(0);
  expect((await read(here.cookie)).signedIn).not.toBeNull();
  expect((await read(tech.cookie)).signedIn).not.toBeNull();
});

test('the end of a session is told to every process within a second', async () => {
  const { who, cookie } = await signedIn(services, EMAIL);
  const notified = new Promise<string>((resolve) => services.live.onNotification('session_ended', resolve));
  const begun = performance.now();
  await signOut(services, cookie);
  expect(await notified).toBe(who.sessionId);
  expect(performance.now() - begun).toBeLessThan(1000);
});
