import { randomUUID } from 'node:crypto';
import { symmetricEncrypt } from 'better-auth/crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codeFor, fromBase32 } from '#test/one-time-codes.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, cookieOf, PASSWORD, signedIn, VISITOR } from '#test/people.ts';
import { changePassword } from './change-password.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.server.ts';
import { readSession } from '#app/access/session.server.ts';
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

const codeOf = (uri: string, ahead?: 1) => codeFor(new URL(uri).searchParams.get('secret') ?? '', ahead);
const challenge = async () => {
  const answer = await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD });
  expect(answer.state).toBe('second-factor');
  return { ...VISITOR, cookie: answer.state === 'second-factor' ? cookieOf(answer.setCookies) : '' };
};

test('from nothing to signing in with a code, each code once, and recovery codes for the day the phone is lost', async () => {
  const { cookie, who } = await signedIn(services, EMAIL);
  const visitor = { ...VISITOR, cookie };
  expect(await beginSecondFactor(services, who, { visitor, password: 'not my password' })).toMatchObject({
    done: false,
  });
  expect(await pendingSecondFactor(services, who.personId)).toBeNull();
  expect(await beginSecondFactor(services, who, { visitor, password: PASSWORD })).toMatchObject({ done: true });
  const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  // Not confirmed yet: signing in asks for no code.
  expect(await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD })).toMatchObject({ state: 'signed-in' });
  expect(await confirmSecondFactor(services, who, { visitor, code: '000000' })).toMatchObject({ done: false });
  const first = await codeOf(uri);
  const confirmed = await confirmSecondFactor(services, who, { visitor, code: first });
  if (!confirmed.done) throw new Error(confirmed.message);
  expect(confirmed.recoveryCodes).toHaveLength(10);
  expect(await pendingSecondFactor(services, who.personId)).toBeNull();

  // The password alone signs nobody in: the challenge cookie is no session.
  const asked = await challenge();
  expect((await readSession(services, new Headers({ cookie: asked.cookie }), 'use')).signedIn).toBeNull();
  expect(await signInWithCode(services, asked, '000000')).toEqual({ state: 'refused' });
  // The code that confirmed the secret cannot sign in, for instance when seen over the shoulder.
  expect(await signInWithCode(services, asked, first)).toEqual({ state: 'refused' });
  const code = await codeOf(uri, 1);
  const answers = await Promise.all([signInWithCode(services, asked, code), signInWithCode(services, asked, code)]);
  expect(answers.map(({ state }) => state).toSorted()).toEqual(['refused', 'signed-in']);
  // A used code is refused, in another sign-in too.
  expect(await signInWithCode(services, await challenge(), code)).toEqual({ state: 'refused' });

  const [recovery = '', second = '', third = ''] = confirmed.recoveryCodes;
  expect(await signInWithCode(services, await challenge(), recovery)).toMatchObject({ state: 'signed-in' });
  services.setNow(new Date(services.now().getTime() + 600_000).toISOString());
  expect(await signInWithCode(services, await challenge(), recovery)).toEqual({ state: 'refused' });

  const done = answers.find(({ state }) => state === 'signed-in');
  const now = done?.state === 'signed-in' ? cookieOf(done.setCookies) : '';
  const me = (await readSession(services, new Headers({ cookie: now }), 'use')).signedIn;
  if (me === null) throw new Error('not signed in');
  const proof = (given: string) => ({ password: PASSWORD, code: given });
  const mine = { ...VISITOR, cookie: now };
  const renewed = await renewRecoveryCodes(services, me, { visitor: mine, proof: proof(second) });
  if (!renewed.done) throw new Error(renewed.message);
  expect(renewed.recoveryCodes).toHaveLength(10);
  expect(await signInWithCode(services, await challenge(), third)).toEqual({ state: 'refused' });

  const [fourth = ''] = renewed.recoveryCodes;
  const required = { ...services, config: { ...services.config, requireAdmin2fa: true } };
  expect(await removeSecondFactor(required, me, { visitor: mine, proof: proof(fourth) })).toMatchObject({
    done: false,
  });
  expect(await removeSecondFactor(services, me, { visitor: mine, proof: proof(fourth) })).toMatchObject({ done: true });
  expect(await signIn(services, VISITOR, { email: EMAIL, password: PASSWORD })).toMatchObject({ state: 'signed-in' });
  const kinds = await services.db.selectFrom('activityLog').select('kind').orderBy('index').execute();
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'second-factor.added',
    'recovery-codes.renewed',
    'second-factor.removed',
  ]);
});

async function withSecondFactor(email: string) {
  await addPerson(services.db, 'admin', email);
  const first = await signedIn(services, email);
  await beginSecondFactor(services, first.who, { visitor: { ...VISITOR, cookie: first.cookie }, password: PASSWORD });
  const uri = (await pendingSecondFactor(services, first.who.personId)) ?? '';
  const confirmed = await confirmSecondFactor(services, first.who, {
    visitor: { ...VISITOR, cookie: first.cookie },
    code: await codeOf(uri),
  });
  if (!confirmed.done) throw new Error(confirmed.message);
  const visitor = { ...VISITOR, cookie: cookieOf(confirmed.setCookies) };
  const { signedIn: who } = await readSession(services, new Headers({ cookie: visitor.cookie }), 'look');
  if (who === null) throw new Error('not signed in');
  return { who, visitor, uri, recoveryCodes: confirmed.recoveryCodes };
}

test('the password alone neither renews the recovery codes nor removes the second factor; a code counts once there too', async () => {
  const { who, visitor, uri } = await withSecondFactor('taken@registry.example');
  for (const code of ['', '000000', 'aaaaa-bbbbb', await codeOf(uri)]) {
    const proof = { password: PASSWORD, code };
    expect(await renewRecoveryCodes(services, who, { visitor, proof })).toMatchObject({ done: false, field: 'code' });
    expect(await removeSecondFactor(services, who, { visitor, proof })).toMatchObject({ done: false, field: 'code' });
  }
  const code = await codeOf(uri, 1);
  const wrong = { password: 'not my password', code };
  expect(await removeSecondFactor(services, who, { visitor, proof: wrong })).toMatchObject({
    done: false,
    field: 'password',
  });
  const right = { password: PASSWORD, code };
  expect(await renewRecoveryCodes(services, who, { visitor, proof: right })).toMatchObject({ done: true });
  expect(await removeSecondFactor(services, who, { visitor, proof: right })).toMatchObject({
    done: false,
    field: 'code',
  });
});

test('a stolen session guesses five times a minute and thirty an hour, whatever it asks for', async () => {
  const limited = { ...services, config: { ...services.config, rateLimits: true } };
  const { who, visitor } = await withSecondFactor('robbed@registry.example');
  const guess = { password: 'a guess', code: '000000' };
  const tries = [
    () => renewRecoveryCodes(limited, who, { visitor, proof: guess }),
    () => removeSecondFactor(limited, who, { visitor, proof: guess }),
    () => beginSecondFactor(limited, who, { visitor, password: guess.password }),
    () => changePassword(limited, who, { visitor, current: guess.password, password: 'another one altogether' }),
    () => confirmSecondFactor(limited, who, { visitor, code: guess.code }),
  ];
  const begun = services.now().getTime();
  for (let minute = 0; minute < 6; minute += 1) {
    services.setNow(new Date(begun + minute * 60_001).toISOString());
    for (const attempt of tries) expect(await attempt()).not.toHaveProperty('retryAfterSeconds');
    if (minute < 5) for (const attempt of tries) expect(await attempt()).toHaveProperty('retryAfterSeconds', 60);
  }
  // The limit applies to every session of the account, and to the right password too.
  services.setNow(new Date(begun + 10 * 60_000).toISOString());
  for (const attempt of tries) expect(await attempt()).toHaveProperty('retryAfterSeconds', 50 * 60);
  const elsewhere = { ...who, sessionId: randomUUID() };
  expect(await renewRecoveryCodes(limited, elsewhere, { visitor, proof: guess })).toHaveProperty('retryAfterSeconds');
  const right = { current: PASSWORD, password: 'another one altogether' };
  expect(await changePassword(limited, who, { visitor, ...right })).toMatchObject({ changed: false });
  services.setNow(new Date(begun + 3_700_000).toISOString());
  expect(await changePassword(limited, who, { visitor, ...right })).toMatchObject({ changed: true });
});

test('the secret is sealed in the database, and of a recovery code there is only what nobody can read back', async () => {
  const { who, uri, recoveryCodes } = await withSecondFactor('tech@scales.example');
  const secret = fromBase32(new URL(uri).searchParams.get('secret') ?? '');
  const row = await services.db
    .selectFrom('twoFactor')
    .selectAll()
    .where('userId', '=', who.personId)
    .executeTakeFirstOrThrow();
  expect(secret).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(secret);
  const { backupCodes: read } = await services.auth.api.viewBackupCodes({ body: { userId: who.personId } });
  expect(read).toHaveLength(10);
  for (const code of recoveryCodes) expect(JSON.stringify([row, read])).not.toContain(code);
});

test('recovery codes that were sealed by an older version still work, once', async () => {
  const email = 'older@registry.example';
  const { who } = await withSecondFactor(email);
  const key = services.auth.options.secret;
  const backupCodes = await symmetricEncrypt({ key, data: JSON.stringify(['older-codes', 'other-codes']) });
  await services.db.updateTable('twoFactor').set({ backupCodes }).where('userId', '=', who.personId).execute();
  const ask = async () => {
    const answer = await signIn(services, VISITOR, { email, password: PASSWORD });
    return { ...VISITOR, cookie: answer.state === 'second-factor' ? cookieOf(answer.setCookies) : '' };
  };
  expect(await signInWithCode(services, await ask(), 'older-codes')).toMatchObject({ state: 'signed-in' });
  services.setNow(new Date(services.now().getTime() + 600_000).toISOString());
  expect(await signInWithCode(services, await ask(), 'older-codes')).toEqual({ state: 'refused' });
  expect(await signInWithCode(services, await ask(), 'other-codes')).toMatchObject({ state: 'signed-in' });
});

test('codes are guessed at most five times in one sign-in, ten times in all', async () => {
  await addPerson(services.db, 'admin', 'guessed@registry.example');
  const { cookie, who } = await signedIn(services, 'guessed@registry.example');
  const visitor = { ...VISITOR, cookie };
  await beginSecondFactor(services, who, { visitor, password: PASSWORD });
  const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
  await confirmSecondFactor(services, who, { visitor, code: await codeOf(uri) });
  const ask = async () => {
    const answer = await signIn(services, VISITOR, { email: 'guessed@registry.example', password: PASSWORD });
    return { ...VISITOR, cookie: answer.state === 'second-factor' ? cookieOf(answer.setCookies) : '' };
  };
  let guess = 100_000;
  const wrong = () => String((guess += 1));
  const first = await ask();
  for (let index = 0; index < 6; index += 1) await signInWithCode(services, first, wrong());
  expect(await signInWithCode(services, first, await codeOf(uri, 1))).toEqual({ state: 'refused' });
  const second = await ask();
  for (let index = 0; index < 5; index += 1) await signInWithCode(services, second, wrong());
  const locked = await signInWithCode(services, await ask(), wrong());
  expect(locked).toMatchObject({ state: 'too-many' });
});
