// The sign-in library over our database: passwords, sessions, the second factor, signed tokens. Its own HTTP routes are
// not mounted; our actions call it (app/sign-in). We use our own rate limits (rate-limit.server.ts), as the library's
// do not count by account.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
import { betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString, symmetricDecrypt } from 'better-auth/crypto';
import { jwt, twoFactor } from 'better-auth/plugins';
import { z } from 'zod';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { decodeEscapes } from '#app/platform/http/decode-escapes.ts';
import { hashPassword, verifyPassword } from './password-hash.server.ts';

/** A session ends after this long without use … */
export const SESSION_IDLE_SECONDS = 2 * 60 * 60;
/** … and after this long in any case. */
export const SESSION_MAX_SECONDS = 12 * 60 * 60;
/** The time of a session's last use is written at most this often. */
export const SEEN_EVERY_SECONDS = 60;
const TOKEN_LIFE = '5m';
const RECOVERY_CODES = 10;

/** The origin that the library sees. The real origin of each request was checked before (server/same-origin.ts). */
export const authOrigin = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => publicUrl?.origin ?? 'http://localhost';

/** Over https cookies are host-bound: __Host- forbids a Domain and requires Secure and Path=/. */
export const cookiePrefix = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl?.protocol === 'https:' ? '__Host-registry' : 'registry';

export type Auth = ReturnType<typeof openAuth>;

/** `secret` signs cookies and encrypts secrets in the database. It is never stored in the database itself. */
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
      // Set by the prefix and attributes below instead: `true` would add __Secure-, not __Host-.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(config),
      defaultCookieAttributes: { secure: https, sameSite: 'lax', httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: ['x-client-ip'] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    plugins: [
      twoFactor({ issuer: config.registryName, backupCodeOptions: { storeBackupCodes: recoveryCodeStore(secret) } }),
      // Tokens are only for AUTH_TOKEN_SYNC_URL, so reading a session must not return one in a header.
      jwt({
        disableSettingJwtHeader: true,
        jwt: { issuer: authOrigin(config), audience: authOrigin(config), expirationTime: TOKEN_LIFE },
      }),
      {
        id: 'registry',
        endpoints: {
          signInWithPassword: signInWithPassword(),
          beginSession: beginSession(),
          pendingSecondFactor: pendingSecondFactor(),
          makeRecoveryCodes: makeRecoveryCodes(secret),
        },
      },
    ],
  });
}

/** The token of the session cookie in a Cookie header; undefined when there is none with our valid signature. */
export function sessionToken(config: Pick<Config, 'publicUrl'>, auth: Auth, cookie: string): string | undefined {
  const name = `${cookiePrefix(config)}.session_token=`;
  const pair = cookie.split(';').find((one) => one.trim().startsWith(name));
  return tokenOf(auth, pair?.trim().slice(name.length) ?? '');
}

function tokenOf(auth: Auth, value: string): string | undefined {
  const [, token, signature] = /^(.+)\.([^.]{44})$/.exec(decodeEscapes(value) ?? '') ?? [];
  if (token === undefined || signature === undefined) return undefined;
  const right = createHmac('sha256', auth.options.secret).update(token).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
}

/**
 * The form of a recovery code in the database. A code has 59 random bits, few enough to try them all. The hash is keyed
 * with a secret that is not in the database, so a stolen database does not reveal the codes.
 */
export const recoveryCodeHash = (secret: string, code: string): string =>
  createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');

const HASH_LENGTH = 43;
const codeList = z.array(z.string());

// The library stores, compares and removes the strings that this returns. They are hashes, so it never has the codes
// back.
function recoveryCodeStore(secret: string) {
  const hashed = (codes: string) =>
    JSON.stringify(
      codeList
        .parse(JSON.parse(codes))
        .map((code) => (code.length === HASH_LENGTH ? code : recoveryCodeHash(secret, code))),
    );
  return {
    encrypt: async (codes: string) => hashed(codes),
    // Older codes are encrypted, not hashed. The first use of one of them stores all of them as hashes.
    decrypt: async (stored: string) =>
      stored.startsWith('[') ? stored : hashed(await symmetricDecrypt({ key: secret, data: stored })),
  };
}

// Makes new recovery codes; the old ones become invalid. Only this answer ever contains them.
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

/** One of the paths after which the library asks for the second factor. */
export const SIGN_IN_PATH = '/sign-in/username';

// The library's `/sign-in/email`, without its own rule for addresses: that refuses ones which mail servers take, and
// with which people are admitted here. An unknown address takes as long as a known one: a password is hashed either
// way.
function signInWithPassword() {
  const body = z.object({ email: z.string(), password: z.string() });
  return createAuthEndpoint(SIGN_IN_PATH, { method: 'POST', body }, async (ctx) => {
    const { internalAdapter, password } = ctx.context;
    const found = await internalAdapter.findUserByEmail(ctx.body.email, { includeAccounts: true });
    const stored = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password;
    if (typeof stored !== 'string') await password.hash(ctx.body.password);
    if (
      found === null ||
      typeof stored !== 'string' ||
      !(await password.verify({ hash: stored, password: ctx.body.password }))
    )
      throw new APIError('UNAUTHORIZED');
    const session = await internalAdapter.createSession(found.user.id);
    await setSessionCookie(ctx, { session, user: found.user });
    return ctx.json({ signedIn: true });
  });
}

// Begins a session for a user who has proven their identity by other means: the old password, or a link by email.
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

// The otpauth: address of a second factor that is not confirmed yet, so that its QR code can be shown again.
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
