// What needs two people: anybody who confirms it is another admin, and has been one for 90 days. Where there is none,
// another admin who had no part; the person themself only where no other admin exists.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { ESTABLISHED_DAYS } from './newcomer.ts';

/** The public notice of what loosens the rules, and the wait before a removal of an admin stands by itself. */
export const NOTICE_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
export const noticeEnds = (since: Date): Date => new Date(since.getTime() + NOTICE_DAYS * DAY_MS);

// Since when the record `ad` has been an admin's. An imported one without a date: since its import.
const SINCE = `coalesce(ad.added_at, (select min(l.at) from activity_log l
  where l.subject = 'admin' and l.subject_id = ad.id::text and l.kind = 'admin.imported'))`;

/** SQL text: for how many days `personId` was an admin at `at`, if these are less than 90; else null. */
export const addedDaysAt = (personId: string, at: string): string => `(select days from (
    select floor(extract(epoch from ${at} - max(${SINCE})) / 86400)::int as days
    from admin ad where ad.person_id = ${personId} and ${SINCE} <= ${at}) n where days < ${ESTABLISHED_DAYS})`;

export type ExistingAdmin = { personId: string; since: Date | null };

/** The admins who can sign in, and those whose removal may still be refused. */
export async function existingAdmins(db: Db | Tx): Promise<ExistingAdmin[]> {
  const { rows } = await sql<ExistingAdmin>`select ad.person_id, ${sql.raw(SINCE)} as since from admin ad
    where (ad.deleted_at is null or exists (select from admin_removal r where r.admin_id = ad.id and r.outcome is null))
      and exists (select from account where user_id = ad.person_id and provider_id = 'credential'
        and password is not null)`.execute(db);
  return rows;
}

/** Whether an admin exists beside `personId`, and so could decide instead. */
export const hasOtherAdmin = async (db: Db | Tx, personId: string): Promise<boolean> =>
  (await existingAdmins(db)).some((admin) => admin.personId !== personId);

/**
 * `isAlone`: no other admin exists. `addedDays`: where nobody has been an admin for 90 days, for how many this one has;
 * else null.
 */
export type SecondPerson =
  | { may: true; isAlone: boolean; addedDays: number | null }
  | { may: false; reason: 'own' | 'too-new' };

/** Whether `personId` may confirm what the people `parts` had a part in. */
export async function secondPerson(
  db: Db | Tx,
  personId: string,
  { parts, now }: { parts: readonly (string | null)[]; now: Date },
): Promise<SecondPerson> {
  const admins = await existingAdmins(db);
  const others = admins.filter((admin) => admin.personId !== personId);
  if (others.length === 0) return { may: true, isAlone: true, addedDays: null };
  if (parts.includes(personId)) return { may: false, reason: 'own' };
  const daysOf = ({ since }: ExistingAdmin) =>
    since === null ? Infinity : Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS));
  const own = admins.find((admin) => admin.personId === personId);
  const days = own === undefined ? 0 : daysOf(own);
  if (days >= ESTABLISHED_DAYS) return { may: true, isAlone: false, addedDays: null };
  return others.some((other) => !parts.includes(other.personId) && daysOf(other) >= ESTABLISHED_DAYS)
    ? { may: false, reason: 'too-new' }
    : { may: true, isAlone: false, addedDays: days };
}

/** Of a refused confirmation, for the person. */
export const TOO_NEW =
  'You have been an administrator for less than 90 days. One of 90 days or more has to confirm this.';
