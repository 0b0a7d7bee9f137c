// A browser that an account was signed in from carries a signed cookie. Tries from it are counted apart from those of
// strangers, who therefore cannot lock its owner out. The signature is of the device, the account and its password: a
// cookie is worth nothing for another account, and none outlives the password. Nothing of it is kept.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookiePrefix } from '#app/platform/auth/auth.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findPasswordHashByEmail } from '#app/access/queries.server.ts';

type Given = Pick<Services, 'db' | 'auth' | 'config'>;

/** Of one browser: a shared office computer. The account that signed in longest ago is forgotten. */
const ACCOUNTS_MAX = 5;
const LIFE_SECONDS = 180 * 24 * 60 * 60;
const VALUE = /^([\w-]{22})((?:\.[\w-]{43}){1,5})$/;

/** The device behind a Cookie header, if `email` was signed in from it under its present password. */
export async function findKnownDevice(given: Given, cookie: string, email: string): Promise<string | undefined> {
  const device = readDevice(given.config, cookie);
  if (device === undefined) return undefined;
  const right = await sign(given, device.id, email);
  return right !== undefined && device.signatures.some((one) => isSame(one, right)) ? device.id : undefined;
}

/** The Set-Cookie line by which the browser is known for `email` from now on. */
export async function rememberDevice(given: Given, cookie: string, email: string): Promise<string[]> {
  const known = readDevice(given.config, cookie);
  const id = known?.id ?? randomBytes(16).toString('base64url');
  const signature = await sign(given, id, email);
  if (signature === undefined) return [];
  const others = (known?.signatures ?? []).filter((one) => !isSame(one, signature));
  const value = [id, signature, ...others].slice(0, 1 + ACCOUNTS_MAX).join('.');
  const secure = given.config.publicUrl?.protocol === 'https:' ? '; Secure' : '';
  return [`${cookieName(given.config)}=${value}; Max-Age=${LIFE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`];
}

const cookieName = (config: Given['config']): string => `${cookiePrefix(config)}.device`;

function readDevice(config: Given['config'], cookie: string): { id: string; signatures: string[] } | undefined {
  const name = `${cookieName(config)}=`;
  const pair = cookie.split(';').find((one) => one.trim().startsWith(name));
  const [, id, signatures] = VALUE.exec(pair?.trim().slice(name.length) ?? '') ?? [];
  return id === undefined || signatures === undefined ? undefined : { id, signatures: signatures.slice(1).split('.') };
}

async function sign({ db, auth }: Given, id: string, email: string): Promise<string | undefined> {
  const password = await findPasswordHashByEmail(db, email);
  if (password === undefined) return undefined;
  const text = JSON.stringify(['known device', id, email, password]);
  return createHmac('sha256', auth.options.secret).update(text).digest('base64url');
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
