// Queries on roles, passwords and sessions, and the count of unsent mail for the settings page.
import { sql, type RawBuilder } from 'kysely';
import type { AccountRole } from './permissions.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

/** A person's current role, displayed name and address. `recordId`: the id of their admin or technician record. */
export type Account = { role: AccountRole; name: string; email: string; recordId: string };

// Somebody of the office who is also a technician counts as of the office. Null when the person has no live record.
const accountOf = (personId: RawBuilder<unknown>) => sql<Account | null>`coalesce(
  (select jsonb_build_object('role', role, 'name', coalesce(nullif(name, ''), email), 'email', email, 'recordId', id)
    from staff where person_id = ${personId} and deleted_at is null limit 1),
  (select jsonb_build_object('role', 'technician',
      'name', coalesce(nullif(rep_name, ''), nullif(company_name, ''), email), 'email', email, 'recordId', id)
    from technician where person_id = ${personId} and deleted_at is null limit 1))`;

/** Undefined when the person has no live record. */
export async function findAccount(db: Db | Tx, personId: string): Promise<Account | undefined> {
  const { account } = await db.selectNoFrom(accountOf(sql`${personId}::uuid`).as('account')).executeTakeFirstOrThrow();
  return account ?? undefined;
}

/** A stored session with its account and the person's current role. */
export type FoundSession = {
  id: string;
  personId: string;
  createdAt: Date;
  expiresAt: Date;
  email: string;
  mustChangePassword: boolean;
  hasSecondFactor: boolean;
  account: Account | undefined;
};

/** The session of a cookie's token. */
export async function findSession(db: Db, token: string): Promise<FoundSession | undefined> {
  type Row = Omit<FoundSession, 'account'> & { account: Account | null };
  const { rows } = await sql<Row>`
    select s.id, s.user_id as person_id, s.created_at, s.expires_at, u.email, u.must_change_password,
      u.two_factor_enabled as has_second_factor, ${accountOf(sql`s.user_id`)} as account
    from session s join "user" u on u.id = s.user_id where s.token = ${token}`.execute(db);
  const [found] = rows;
  return found === undefined ? undefined : { ...found, account: found.account ?? undefined };
}

/** The person with this address (normalised) and a live role, with or without a password. */
export async function findPersonByEmail(
  db: Db | Tx,
  email: string,
): Promise<{ personId: string; account: Account } | undefined> {
  const person = await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirst();
  if (person === undefined) return undefined;
  const account = await findAccount(db, person.id);
  return account === undefined ? undefined : { personId: person.id, account };
}

/** How many admins have a password. While it is 0, /setup can create the first one. */
export async function countAdminsWhoCanSignIn(db: Db | Tx): Promise<number> {
  const { n } = await db
    .selectFrom('admin')
    .innerJoin('account', 'account.userId', 'admin.personId')
    .where('admin.deletedAt', 'is', null)
    .where('account.providerId', '=', 'credential')
    .select((eb) => eb.fn.count<number>('admin.id').distinct().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** A person's password hash; undefined when they have no password. */
export async function findPasswordHash(db: Db | Tx, personId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', personId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  return found?.password ?? undefined;
}

/** The password hash of the account with this address (normalised). */
export async function findPasswordHashByEmail(db: Db, email: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('account')
    .innerJoin('user', 'user.id', 'account.userId')
    .select('account.password')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst();
  return found?.password ?? undefined;
}

export type OpenSession = { id: string; userAgent: string; ipAddress: string; createdAt: Date; lastSeenAt: Date };

/** A person's open sessions, most recently used first. */
export function listSessions(db: Db, personId: string): Promise<OpenSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'createdAt', 'updatedAt as lastSeenAt'])
    .select((eb) => eb.fn.coalesce('userAgent', sql.lit('')).as('userAgent'))
    .select((eb) => eb.fn.coalesce('ipAddress', sql.lit('')).as('ipAddress'))
    .where('userId', '=', personId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('updatedAt', 'desc')
    .execute();
}

/** How many mails failed at least once and are not sent (1,000 at most), and the error of the newest. */
export async function countUnsentMail(db: Db): Promise<{ count: number; lastError: string }> {
  const rows = await db
    .selectFrom('mail')
    .select(['id', 'lastError'])
    .where('attempts', '>', 0)
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
  return { count: rows.length, lastError: rows[0]?.lastError ?? '' };
}
