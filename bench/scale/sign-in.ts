// A session of an imported person, on a server that is measured.
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';

/** Cookie and Origin. */
export type Session = Readonly<Record<string, string>>;

/** Gives one of the imported people a password, and signs them in at the server of `url`, through the form. */
export async function signIn(on: Db, url: string, role: 'technician' | 'admin'): Promise<Session> {
  const person =
    role === 'technician'
      ? await on
          .selectFrom('technician')
          .select(['personId', 'email', 'repName as name'])
          .where('deletedAt', 'is', null)
          .orderBy('email')
          .executeTakeFirstOrThrow()
      : await on.selectFrom('admin').select(['personId', 'email', 'name']).orderBy('email').executeTakeFirstOrThrow();
  const password = 'a weighbridge in the rain';
  const hash = await hashPassword(password);
  await on.transaction().execute((tx) => setPassword(tx, { ...person, hash, mustChange: false }));
  const headers = { origin: url };
  const body = new URLSearchParams({ email: person.email, password });
  const form = role === 'technician' ? '/tech-login' : '/login';
  const answer = await fetch(`${url}${form}`, { method: 'POST', body, headers, redirect: 'manual' });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  if (answer.status !== 303) throw new Error(`signing in was answered ${answer.status}`);
  return { Cookie: cookies.join('; '), Origin: url };
}
