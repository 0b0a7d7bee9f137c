// Who may decide about a visit, and when.
import { createHash } from 'node:crypto';
import type { SignedIn } from '#app/access/session.server.ts';
import { ESTABLISHED_DAYS } from '#app/people/newcomer.ts';
import { admittedBy } from '#app/people/admissions.server.ts';
import { secondPerson } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { partsIn, type VisitOfPeople } from './parts-in-visit.server.ts';
import type { Decision } from './visit.ts';
import { checksOf, type VisitRow } from './visit-queries.server.ts';

/** Why an admin may not decide about a visit. */
export type NotYours = 'own-visit' | 'admitted-by-you' | 'too-new';

/** Why `who` may not decide about the visit while another admin could; undefined if they may. */
export async function whyNotYours(
  tx: Tx | Db,
  who: Pick<SignedIn, 'personId'>,
  { visit, now }: { visit: Pick<VisitRow, 'id' | 'vehicleId' | 'personId'>; now: Date },
): Promise<NotYours | undefined> {
  const parts = await partsIn(tx, visit);
  const ids = parts.map(({ personId }) => personId);
  if (ids.includes(who.personId)) return 'own-visit';
  for (const personId of ids) if (await hasAdmitted(tx, who, { technician: personId, now })) return 'admitted-by-you';
  if (!parts.some(({ isAdmin }) => isAdmin)) return undefined;
  return (await secondPerson(tx, who.personId, { parts: ids, now })).may ? undefined : 'too-new';
}

/** Whether `who` admitted the technician less than 90 days ago. */
export async function hasAdmitted(
  tx: Tx | Db,
  who: Pick<SignedIn, 'personId'>,
  { technician, now }: { technician: string | null; now: Date },
): Promise<boolean> {
  if (technician === null) return false;
  const since = new Date(now.getTime() - ESTABLISHED_DAYS * 24 * 3_600_000);
  const admissions = await admittedBy(tx, technician);
  return admissions.some(({ personId, at }) => personId === who.personId && at > since);
}

/** Whether they recorded or captured the visit, or corrected a reading of it. */
export const isOwnVisit = async (tx: Tx | Db, who: Pick<SignedIn, 'personId'>, visit: VisitOfPeople) =>
  (await partsIn(tx, visit)).some(({ personId }) => personId === who.personId);

/** Visits that wait or are partial can be let count; what has an effect, or waits, can be set aside. */
export const mayBeDecided = ({ state }: Pick<VisitRow, 'state'>, decision: Decision): boolean =>
  decision === 'accepted'
    ? state === 'waits' || state === 'partial' || state === 'set-aside'
    : state === 'waits' || state === 'counts' || state === 'accepted';

/** No decision stands in for the due date: a verdict would have no end. */
export const isDueInTime = ({ checks }: Pick<VisitRow, 'checks'>): boolean =>
  checksOf(checks).every(({ check, answer }) => check !== 'interval' || answer === 'passed');

/** Another one after anything that a decision rests on has changed: its state, its due date, its checks. */
export const stateHash = ({ state, dueOn, checks }: Pick<VisitRow, 'state' | 'dueOn' | 'checks'>): string =>
  createHash('sha256')
    .update(JSON.stringify([state, dueOn, checks]))
    .digest('base64url')
    .slice(0, 22);
