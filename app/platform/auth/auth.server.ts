// The sign-in library over our database: passwords, sessions, the second factor, signed tokens. Its own HTTP routes are
// not mounted; our doors call it (app/account). Limits are ours (rate-limit.server.ts): the library's know no account.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString, symmetricDecrypt } from 'better-auth/crypto';
import { jwt, twoFactor } from 'better-auth/plugins';
import { z } from 'zod';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { hashPassword, verifyPassword } from './password-hash.server.ts';

/** A session ends after this long without use … */
export const SESSION_IDLE_SECONDS = 2 * 60 * 60;
/** … and after this long in any case. */
export const SESSION_MAX_SECONDS = 12 * 60 * 60;
/** A session's use is noted this often. */
export const SEEN_EVERY_SECONDS = 60;
const TOKEN_LIFE = '5m';
const RECOVERY_CODES = 10;

/** Where the library's requests seem to come from. Every real one was checked before (server/same-origin.ts). */
export const authOrigin = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => publicUrl?.origin ?? 'http://localhost';

/** Over https cookies are host-bound: __Host- forbids a Domain and requires Secure and Path=/. */
export const cookiePrefix = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl?.protocol === 'https:' ? '__Host-registry' : 'registry';

export type Auth = ReturnType<typeof openAuth>;

/** `secret` signs cookies and seals what is sealed in the database; it is never in the database itself. */
export function openAuth({ db, config, secret }: { db: Db; config: Config; secret: string }) {
  const https = config.publicUrl?.protocol === 'https:';
  return betterAuth({
    appName: config.registryName,
    baseURL: authOrigin(config),
    secret,
    database: { db, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: { additionalFields: { mustChangePassword: { type: 'boolean', input: false, defaultValue: false } } },
    session: { expiresIn: SESSION_IDLE_SECONDS, updateAge: SEEN_EVERY_SECONDS, cookieCache: { enabled: false } },
    advanced: {
      database: { generateId: () => randomUUID() },
      useSecureCookies: false, // the prefix and the attribute below say it, for __Host- instead of __Secure-
      cookiePrefix: cookiePrefix(config),
      defaultCookieAttributes: { secure: https, sameSite: 'lax', httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    plugins: [
      twoFactor({ issuer: config.registryName, backupCodeOptions: { storeBackupCodes: recoveryCodeStore(secret) } }),
      // Tokens are for AUTH_TOKEN_SYNC_URL alone: none with each reading of a session.
      jwt({
        disableSettingJwtHeader: true,
        jwt: { issuer: authOrigin(config), audience: authOrigin(config), expirationTime: TOKEN_LIFE },
      }),
      {
        id: 'registry',
        endpoints: {
          beginSession: beginSession(),
          pendingSecondFactor: pendingSecondFactor(),
          makeRecoveryCodes: makeRecoveryCodes(secret),
        },
      },
    ],
  });
}

/** The token of the session cookie in a Cookie header; undefined when there is none that we signed. */
export function sessionToken(config: Pick<Config, 'publicUrl'>, auth: Auth, cookie: string): string | undefined {
  const name = `${cookiePrefix(config)}.session_token=`;
  const pair = cookie.split(';').find((one) => one.trim().startsWith(name));
  const value = pair?.trim().slice(name.length) ?? '';
  const known = signed.get(auth) ?? new Map<string, string>();
  signed.set(auth, known);
  const token = known.get(value) ?? tokenOf(auth, value);
  if (token !== undefined) {
    if (known.size >= SIGNED_MAX) known.clear();
    known.set(value, token);
  }
  return token;
}

// What was found to be signed by us, so that each is checked once, and not with every request. Whether its session still
// lasts is another question.
const SIGNED_MAX = 1000;
const signed = new WeakMap<Auth, Map<string, string>>();

function tokenOf(auth: Auth, value: string): string | undefined {
  const [, token, signature] = /^(.+)\.([^.]{44})$/.exec(decoded(value)) ?? [];
  if (token === undefined || signature === undefined) return undefined;
  const right = createHmac('sha256', auth.options.secret).update(token).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * What the database holds of a recovery code. A code has 59 random bits: with the secret, which is not in the database,
 * nobody finds it by trying all of them.
 */
export const recoveryCodeHash = (secret: string, code: string): string =>
  createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');

const HASH_LENGTH = 43;
const codeList = z.array(z.string());

// The library makes, looks up and uses up whatever this gives it: hashes, of which none is a code again.
function recoveryCodeStore(secret: string) {
  const hashed = (codes: string) =>
    JSON.stringify(
      codeList
        .parse(JSON.parse(codes))
        .map((code) => (code.length === HASH_LENGTH ? code : recoveryCodeHash(secret, code))),
    );
  return {
    encrypt: async (codes: string) => hashed(codes),
    // Those of before were sealed, not hashed. They are hashed from the first use of one.
    decrypt: async (kept: string) =>
      kept.startsWith('[') ? kept : hashed(await symmetricDecrypt({ key: secret, data: kept })),
  };
}

// New recovery codes; the old ones are void. Nobody is told them again.
function makeRecoveryCodes(secret: string) {
  return createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.string() }) }, async (ctx) => {
    const codes = Array.from({ length: RECOVERY_CODES }, () => {
      const letters = generateRandomString(10, 'a-z', '0-9', 'A-Z');
      return `${letters.slice(0, 5)}-${letters.slice(5)}`;
    });
    await ctx.context.adapter.update({
      model: 'twoFactor',
      where: [{ field: 'userId', value: ctx.body.userId }],
      update: { backupCodes: JSON.stringify(codes.map((code) => recoveryCodeHash(secret, code))) },
    });
    return ctx.json({ codes });
  });
}

// A new session for somebody whose identity was proven by other means: the old password, a link by mail.
function beginSession() {
  return createAuthEndpoint.serverOnly(
    { method: 'POST', body: z.object({ userId: z.string() }), requireHeaders: true },
    async (ctx) => {
      const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
      if (user === null) return ctx.json({ begun: false });
      await setSessionCookie(ctx, { session: await ctx.context.internalAdapter.createSession(user.id), user });
      return ctx.json({ begun: true });
    },
  );
}

// The address of the authenticator entry that waits to be confirmed, so that its QR code can be shown again.
function pendingSecondFactor() {
  return createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.string() }) }, async (ctx) => {
    const { adapter, secretConfig, appName } = ctx.context;
    const row = await adapter.findOne<{ secret: string; verified: boolean }>({
      model: 'twoFactor',
      where: [{ field: 'userId', value: ctx.body.userId }],
    });
    const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
    if (row === null || row.verified || user === null) return ctx.json({ uri: null });
    const secret = await symmetricDecrypt({ key: secretConfig, data: row.secret });
    return ctx.json({ uri: createOTP(secret, { digits: 6, period: 30 }).url(appName, user.email) });
  });
}
