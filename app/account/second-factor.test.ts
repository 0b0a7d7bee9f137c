import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codeFor, fromBase32 } from '#test/one-time-codes.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, cookieOf, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.server.ts';
import { readSession } from './session.server.ts';
import { signIn, signInWithCode } from './sign-in.server.ts';

let services: TestServices;
const EMAIL = 'mia@registry.example';
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await addPerson(services.db, 'admin', EMAIL);
});
afterAll(async () => {
  vi.useRealTimers();
  await services.stop();
});

const codeOf = (uri: string) => codeFor(new URL(uri).searchParams.get('secret') ?? '');
const challenge = async () => {
  const answer = await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD });
  expect(answer.state).toBe('second-factor');
  return { ...VISITOR, cookie: answer.state === 'second-factor' ? cookieOf(answer.setCookies) : '' };
};

test('from nothing to signing in with a code, each code once, and recovery codes for the day the phone is lost', async () => {
  const { cookie, who } = await signedIn(services, EMAIL);
  const visitor = { ...VISITOR, cookie };
  expect(await beginSecondFactor(services, visitor, 'not my password')).toMatchObject({ done: false });
  expect(await pendingSecondFactor(services, who.personId)).toBeNull();
  expect(await beginSecondFactor(services, visitor, PASSWORD)).toMatchObject({ done: true });
  const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  // Not confirmed yet: signing in asks for no code.
  expect(await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD })).toMatchObject({ state: 'signed-in' });
  expect(await confirmSecondFactor(services, who, visitor, '000000')).toMatchObject({ done: false });
  const confirmed = await confirmSecondFactor(services, who, visitor, await codeOf(uri));
  if (!confirmed.done) throw new Error(confirmed.message);
  expect(confirmed.recoveryCodes).toHaveLength(10);
  expect(await pendingSecondFactor(services, who.personId)).toBeNull();

  // The password alone signs nobody in: its cookie opens nothing.
  const asked = await challenge();
  expect((await readSession(services, new Headers({ cookie: asked.cookie }), { isUse: true })).signedIn).toBeNull();
  expect(await signInWithCode(services, asked, '000000')).toEqual({ state: 'refused' });
  const code = await codeOf(uri);
  const answers = await Promise.all([signInWithCode(services, asked, code), signInWithCode(services, asked, code)]);
  expect(answers.map(({ state }) => state).toSorted()).toEqual(['refused', 'signed-in']);
  // Seen over the shoulder: the same code is worth nothing, in another sign-in either.
  expect(await signInWithCode(services, await challenge(), code)).toEqual({ state: 'refused' });

  const [recovery = '', second = ''] = confirmed.recoveryCodes;
  expect(await signInWithCode(services, await challenge(), recovery)).toMatchObject({ state: 'signed-in' });
  services.setNow(new Date(services.now().getTime() + 600_000).toISOString());
  expect(await signInWithCode(services, await challenge(), recovery)).toEqual({ state: 'refused' });

  const done = answers.find(({ state }) => state === 'signed-in');
  const now = done?.state === 'signed-in' ? cookieOf(done.setCookies) : '';
  const me = (await readSession(services, new Headers({ cookie: now }), { isUse: true })).signedIn;
  if (me === null) throw new Error('not signed in');
  const renewed = await renewRecoveryCodes(services, me, { ...VISITOR, cookie: now }, PASSWORD);
  expect(renewed.done && renewed.recoveryCodes).toHaveLength(10);
  expect(await signInWithCode(services, await challenge(), second)).toEqual({ state: 'refused' });

  const required = { ...services, config: { ...services.config, requireAdmin2fa: true } };
  expect(await removeSecondFactor(required, me, { ...VISITOR, cookie: now }, PASSWORD)).toMatchObject({ done: false });
  expect(await removeSecondFactor(services, me, { ...VISITOR, cookie: now }, PASSWORD)).toMatchObject({ done: true });
  expect(await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD })).toMatchObject({ state: 'signed-in' });
  const kinds = await services.db.selectFrom('activityLog').select('kind').orderBy('index').execute();
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'second-factor.added',
    'recovery-codes.renewed',
    'second-factor.removed',
  ]);
});

test('the secret and the recovery codes are sealed in the database', async () => {
  await addPerson(services.db, 'technician', 'tech@scales.example');
  const { cookie, who } = await signedIn(services, 'tech@scales.example');
  await beginSecondFactor(services, { ...VISITOR, cookie }, PASSWORD);
  const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
  const secret = fromBase32(new URL(uri).searchParams.get('secret') ?? '');
  const row = await services.db.selectFrom('twoFactor').selectAll().executeTakeFirstOrThrow();
  expect(secret).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(secret);
});

test('codes are guessed at most five times in one sign-in, ten times in all', async () => {
  await addPerson(services.db, 'admin', 'guessed@registry.example');
  const { cookie, who } = await signedIn(services, 'guessed@registry.example');
  const visitor = { ...VISITOR, cookie };
  await beginSecondFactor(services, visitor, PASSWORD);
  const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
  await confirmSecondFactor(services, who, visitor, await codeOf(uri));
  const ask = async () => {
    const answer = await signIn(services, VISITOR, { email: 'guessed@registry.example', password: PASSWORD });
    return { ...VISITOR, cookie: answer.state === 'second-factor' ? cookieOf(answer.setCookies) : '' };
  };
  let guess = 100_000;
  const wrong = () => String((guess += 1));
  const first = await ask();
  for (let index = 0; index < 6; index += 1) await signInWithCode(services, first, wrong());
  expect(await signInWithCode(services, first, await codeOf(uri))).toEqual({ state: 'refused' });
  const second = await ask();
  for (let index = 0; index < 5; index += 1) await signInWithCode(services, second, wrong());
  const locked = await signInWithCode(services, await ask(), wrong());
  expect(locked).toMatchObject({ state: 'too-many' });
});
