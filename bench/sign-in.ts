// Sessions of imported people, on a server that is measured.
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';

/** A cookie each. */
export type Sessions = readonly string[];

/** How many technicians record: one alone would soon have more visits than anybody has in a year. */
export const TECHNICIANS = 40;
const PASSWORD = 'a weighbridge in the rain';

/**
 * Gives the first `count` imported people of `role` a password, and signs them in at the server of `url`, through the
 * form.
 */
export async function signIn(on: Db, url: string, role: 'technician' | 'admin', count: number): Promise<Sessions> {
  const people =
    role === 'technician'
      ? await on
          .selectFrom('technician')
          .select(['personId', 'email', 'repName as name'])
          .where('deletedAt', 'is', null)
          .orderBy('email')
          .limit(count)
          .execute()
      : await on.selectFrom('admin').select(['personId', 'email', 'name']).orderBy('email').limit(count).execute();
  const hash = await hashPassword(PASSWORD);
  const form = role === 'technician' ? '/tech-login' : '/login';
  const cookies: string[] = [];
  for (const person of people) {
    await on.transaction().execute((tx) => setPassword(tx, { ...person, hash, mustChange: false }));
    const body = new URLSearchParams({ email: person.email, password: PASSWORD });
    const answer = await fetch(`${url}${form}`, { method: 'POST', body, headers: { origin: url }, redirect: 'manual' });
    if (answer.status !== 303) throw new Error(`signing in was answered ${answer.status}`);
    cookies.push(
      answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0] ?? '')
        .join('; '),
    );
  }
  return cookies;
}

/** The cookie of the person who asks. */
export const cookieFor = (cookies: Sessions, by: number): string => cookies[by % cookies.length] ?? '';
