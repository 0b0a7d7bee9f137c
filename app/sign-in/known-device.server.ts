// Known devices. After a sign-in the browser carries a signed cookie, and its attempts are counted apart from those of
// other devices, which therefore cannot lock the account's owner out. The signature (HMAC-SHA-256) covers the device,
// the account and its password hash: it is invalid for another account and after a change of password. Nothing is
// stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookiePrefix } from '#app/platform/auth/auth.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findPasswordHashByEmail } from '#app/access/queries.server.ts';

type DeviceServices = Pick<Services, 'db' | 'auth' | 'config'>;

/** Accounts in one cookie, for a shared office computer. The one that signed in longest ago is dropped. */
const ACCOUNTS_MAX = 5;
const LIFE_SECONDS = 180 * 24 * 60 * 60;
const VALUE = /^([\w-]{22})((?:\.[\w-]{43}){1,5})$/;

/** The device id in a Cookie header; undefined unless `email` has signed in from it with its current password. */
export async function findKnownDevice(
  services: DeviceServices,
  cookie: string,
  email: string,
): Promise<string | undefined> {
  const device = readDevice(services.config, cookie);
  if (device === undefined) return undefined;
  const right = await sign(services, device.id, email);
  return right !== undefined && device.signatures.some((one) => isSame(one, right)) ? device.id : undefined;
}

/** The Set-Cookie line that makes the browser a known device of `email`; empty when the account has no password. */
export async function rememberDevice(services: DeviceServices, cookie: string, email: string): Promise<string[]> {
  const known = readDevice(services.config, cookie);
  const id = known?.id ?? randomBytes(16).toString('base64url');
  const signature = await sign(services, id, email);
  if (signature === undefined) return [];
  const others = (known?.signatures ?? []).filter((one) => !isSame(one, signature));
  const value = [id, signature, ...others].slice(0, 1 + ACCOUNTS_MAX).join('.');
  const secure = services.config.publicUrl?.protocol === 'https:' ? '; Secure' : '';
  return [`${cookieName(services.config)}=${value}; Max-Age=${LIFE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`];
}

const cookieName = (config: DeviceServices['config']): string => `${cookiePrefix(config)}.device`;

function readDevice(
  config: DeviceServices['config'],
  cookie: string,
): { id: string; signatures: string[] } | undefined {
  const name = `${cookieName(config)}=`;
  const pair = cookie.split(';').find((one) => one.trim().startsWith(name));
  const [, id, signatures] = VALUE.exec(pair?.trim().slice(name.length) ?? '') ?? [];
  return id === undefined || signatures === undefined ? undefined : { id, signatures: signatures.slice(1).split('.') };
}

async function sign({ db, auth }: DeviceServices, id: string, email: string): Promise<string | undefined> {
  const password = await findPasswordHashByEmail(db, email);
  if (password === undefined) return undefined;
  const text = JSON.stringify(['known device', id, email, password]);
  return createHmac('sha256', auth.options.secret).update(text).digest('base64url');
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
