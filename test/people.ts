// Adds admins and technicians with a password for tests, and signs them in.
import type { AccountRole } from '#app/access/permissions.ts';
import { readSession, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { signIn } from '#app/sign-in/sign-in.server.ts';
import type { Visitor } from '#app/access/visitor.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { adminEvent } from '#app/transparency-log/events.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';

export const PASSWORD = 'a weighbridge in the rain';
export const VISITOR: Visitor = { cookie: '', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/130', address: '192.0.2.7' };

export type Person = { role: AccountRole; email: string; name: string; personId: string; recordId: string };

let hashed: Promise<string> | undefined;

/** Adds one; without `password: null` they can sign in with PASSWORD. */
export async function addPerson(
  db: Db,
  role: AccountRole,
  email: string,
  more: { name?: string; password?: null; mustChange?: boolean } = {},
): Promise<Person> {
  const { name = email.split('@')[0] ?? '' } = more;
  hashed ??= hashPassword(PASSWORD);
  const hash = await hashed;
  return db.transaction().execute(async (tx) => {
    const actorId = await findOrAddActor(tx, { name: name || email, email });
    const { personId } = await tx
      .selectFrom('actor')
      .select('personId')
      .where('id', '=', actorId)
      .executeTakeFirstOrThrow();
    const { id: recordId } =
      role !== 'technician'
        ? await tx.insertInto('staff').values({ personId, email, name, role }).returning('id').executeTakeFirstOrThrow()
        : await tx
            .insertInto('technician')
            .values({ personId, email, repName: name })
            .returning('id')
            .executeTakeFirstOrThrow();
    // As those of a registry from before admins were logged: else nothing that a test puts in could be older than the
    // log.
    if (role === 'admin')
      await appendLeaves(tx, [adminEvent('admin.added', { id: recordId, name: name || email }, 'before-log')]);
    if (more.password !== null)
      await setPassword(tx, { personId, name, email, hash, mustChange: more.mustChange === true });
    return { role, email, name, personId, recordId };
  });
}

/** Signs in. Returns the Cookie header of the session and what the guard would see. */
export async function signedIn(
  services: Services,
  email: string,
  visitor: Visitor = VISITOR,
): Promise<{ cookie: string; who: SignedIn }> {
  const answer = await signIn(services, visitor, { email, password: PASSWORD });
  if (answer.state !== 'signed-in') throw new Error(`${email} was not signed in: ${answer.state}`);
  const cookie = cookieOf(answer.setCookies);
  const { signedIn: who } = await readSession(services, new Headers({ cookie }), 'look');
  if (who === null) throw new Error('the new session is not read');
  return { cookie, who };
}

/** Adds a person and signs them in. */
export async function addSignedIn(
  services: Services,
  role: Person['role'],
  email: string,
  name: string,
): Promise<SignedIn> {
  await addPerson(services.db, role, email, { name });
  return (await signedIn(services, email)).who;
}

/** Makes somebody an admin of so many days at `now`; without this one is an admin from long before. */
export const addedDaysAgo = (db: Db, { recordId }: Pick<Person, 'recordId'>, days: number, now: Date) =>
  db
    .updateTable('admin')
    .set({ addedAt: new Date(now.getTime() - days * 86_400_000) })
    .where('id', '=', recordId)
    .execute();

/** What the guard would see of them, without a session. */
export const actingAs = ({ personId, email, name, recordId, role }: Person): SignedIn => ({
  personId,
  email,
  name,
  recordId,
  role,
  sessionId: '',
  mustChangePassword: false,
  hasSecondFactor: false,
});

/** Adds a person, and returns what the guard would see of them. Without a session, which takes most of the time. */
export async function addSeen(services: Pick<Services, 'db'>, ...[role, email, name]: AddedPerson): Promise<SignedIn> {
  const { personId, recordId } = await addPerson(services.db, role, email, { name });
  return { role, email, name, personId, recordId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}
type AddedPerson = readonly [role: Person['role'], email: string, name: string];

/** The Cookie header that a browser would send after these Set-Cookie lines. */
export function cookieOf(setCookies: readonly string[]): string {
  return setCookies
    .filter((line) => !/max-age=0/i.test(line))
    .map((line) => line.split(';')[0])
    .join('; ');
}
