// Creates the first administrator. While no admin can sign in (imported ones have no password yet), every start prints
// a link that works once. Afterwards admins add each other; the command `create-admin` helps when none of them is left.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { sql } from 'kysely';
import { mailAdmins } from '#app/people/letters.server.ts';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { withRoleChange } from '#app/people/role-change.server.ts';
import { oneOf } from '#app/access/permissions.ts';
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import { countAdminsWhoCanSignIn, findPasswordHash } from '#app/access/queries.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { adminEvent } from '#app/transparency-log/events.server.ts';
import { setPassword } from './set-password.server.ts';
import { weaknessOf } from './weak-password.server.ts';

const SETUP_LOCK = 7_310_402;

/** Makes a token for a link to /setup; undefined when an admin can sign in. */
export async function offerSetup(db: Db): Promise<string | undefined> {
  if ((await countAdminsWhoCanSignIn(db)) > 0) return undefined;
  const { token, tokenHash } = newLinkToken();
  await db.insertInto('setupLink').values({ tokenHash }).execute();
  return token;
}

/** Whether the link still works. */
export async function isSetupOpen(db: Db | Tx, token: string): Promise<boolean> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined || (await countAdminsWhoCanSignIn(db)) > 0) return false;
  const found = await db.selectFrom('setupLink').select('tokenHash').where('tokenHash', '=', tokenHash).execute();
  return found.length > 0;
}

type SetupServices = Pick<Services, 'db' | 'config'>;
export type NewAdmin = { email: string; name: string; password: string };
export type SetUpAnswer =
  | { done: true }
  | { done: false; reason: 'link-used' }
  | { done: false; reason: 'password' | 'email'; message: string };

/** Creates the first administrator by the printed link. Of two concurrent requests one succeeds. */
export async function setUpRegistry(
  { db, config }: SetupServices,
  input: NewAdmin & { token: string },
): Promise<SetUpAnswer> {
  const weakness = await weaknessOf(config, input.password, [input.name, input.email]);
  if (weakness !== undefined) return { done: false, reason: 'password', message: weakness };
  const hash = await hashPassword(input.password);
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(tx);
    if (!(await isSetupOpen(tx, input.token))) return { done: false, reason: 'link-used' };
    const refusal = await admitAdmin(tx, { ...input, hash, mustChange: false });
    if (refusal !== undefined) return { done: false, reason: 'email', message: refusal };
    await tx.deleteFrom('setupLink').execute();
    return { done: true };
  });
}

export type CreateAdminAnswer = { created: true } | { created: false; message: string };

/** Adds an admin from the command line, or gives a password to one who has none. */
export async function createAdmin(
  { db, config }: SetupServices,
  input: NewAdmin & { mustChange: boolean },
): Promise<CreateAdminAnswer> {
  const weakness = await weaknessOf(config, input.password, [input.name, input.email]);
  if (weakness !== undefined) return { created: false, message: weakness };
  const hash = await hashPassword(input.password);
  const refusal = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(tx);
    return admitAdmin(tx, { ...input, hash });
  });
  return refusal === undefined ? { created: true } : { created: false, message: refusal };
}

// Returns the reason of a refusal. An address in use is refused: a password or role never changes silently.
async function admitAdmin(
  tx: Tx,
  input: { email: string; name: string; hash: string; mustChange: boolean },
): Promise<string | undefined> {
  const { email, name, hash, mustChange } = input;
  const { personId, account, isRemovalOpen } = await lockPerson(tx, email);
  if (isRemovalOpen) return 'This admin was removed, and another admin may still refuse that. Use another address.';
  if (account !== undefined && account.role !== 'admin')
    return `Somebody has this address as ${oneOf(account.role)}. Use another one.`;
  if (account !== undefined && (await findPasswordHash(tx, personId)) !== undefined)
    return 'An admin with this address already has a password. If it is forgotten, reset it at /reset.';
  const actorId = await findOrAddActor(tx, { name, email, personId });
  const now = new Date();
  const recordId =
    account?.recordId ??
    (
      await tx
        .insertInto('admin')
        .values({ personId, email, name, addedAt: now, addedBy: actorId })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  await setPassword(tx, { personId, name, email, hash, mustChange });
  if (account === undefined)
    await appendLeaves(tx, await withRoleChange(tx, personId, adminEvent('admin.added', { id: recordId, name })));
  const kind = account === undefined ? 'admin.added' : 'password.set';
  await appendActivity(tx, {
    kind,
    actorId,
    subject: 'admin',
    subjectId: recordId,
    details: `${email} added`,
    persons: [personId],
  });
  if (account === undefined)
    await mailAdmins(tx, { what: 'admin-added', about: email, by: 'The operator of the registry', path: '/admins' });
  return undefined;
}
