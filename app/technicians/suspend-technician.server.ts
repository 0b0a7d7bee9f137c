// An admin suspends a technician from a day on, or lifts the suspension. Meanwhile the technician signs in and records
// as before, and their visits wait. Visits that counted before stay as they are.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { suspensionEvent } from '#app/transparency-log/events.server.ts';
import { listSuspensions, lockTechnician, loggedAs, type Suspension, type Technician } from './queries.server.ts';
import type { ReinstateInput, SuspendInput } from './good-standing-entry.ts';

/** Why nobody may decide about this technician's good standing, or not this person. */
export type NotDecided =
  | { decided: false; reason: 'unknown' | 'self' }
  | { decided: false; reason: 'removed'; by: string };

const DONE = { decided: true } as const;

export type SuspendAnswer =
  | { decided: true }
  | NotDecided
  | { decided: false; reason: 'suspended'; suspension: Pick<Suspension, 'from' | 'by'> };

export function suspendTechnician(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { email, from, reason, key }: { email: string; key: unknown } & SuspendInput,
): Promise<SuspendAnswer> {
  const on = { kind: 'technician.suspended', key, values: { email, from, reason } } as const;
  return idempotent<SuspendAnswer>(db, { who, ...on }, async (tx) => {
    const found = await lockForDecision(tx, who, email);
    if ('reason' in found) return found;
    const { technician } = found;
    const open = (await listSuspensions(tx, technician.id)).find(({ to }) => to === null);
    if (open !== undefined)
      return { decided: false, reason: 'suspended', suspension: { from: open.from, by: open.by } };
    const actorId = await actorOf(tx, who);
    const { id } = await tx
      .insertInto('suspension')
      .values({ technicianId: technician.id, fromOn: from, reason, decidedBy: actorId, decidedAt: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setSuspendedFrom(tx, technician, from);
    await appendLeaves(tx, [suspensionEvent('technician.suspended', loggedAs(technician), { id, day: from })]);
    await appendActivity(tx, {
      ...aboutThem(who, technician),
      kind: 'technician.suspended',
      actorId,
      details: `${email} suspended from ${formatDay(from)}: ${reason}`,
    });
    return DONE;
  });
}

export type ReinstateAnswer =
  | { decided: true }
  | NotDecided
  /** `by`: who lifted it before. Null when the technician was never suspended under that id. */
  | { decided: false; reason: 'lifted'; by: string | null }
  | { decided: false; reason: 'too-early'; suspendedFrom: string };

/** Lifts the suspension from the day `from` on: from its own first day on, it counts for no visit judged then. */
export function reinstateTechnician(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { email, from, suspension, key }: { email: string; key: unknown } & ReinstateInput,
): Promise<ReinstateAnswer> {
  const on = { kind: 'technician.reinstated', key, values: { email, from, suspension } } as const;
  return idempotent<ReinstateAnswer>(db, { who, ...on }, async (tx) => {
    const found = await lockForDecision(tx, who, email);
    if ('reason' in found) return found;
    const { technician } = found;
    const asked = (await listSuspensions(tx, technician.id)).find(({ id }) => id === suspension);
    if (asked === undefined || asked.endedBy !== null)
      return { decided: false, reason: 'lifted', by: asked?.endedBy ?? null };
    if (from < asked.from) return { decided: false, reason: 'too-early', suspendedFrom: asked.from };
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('suspension')
      .set({ toOn: addDays(from, -1), endedBy: actorId, endedAt: now() })
      .where('id', '=', asked.id)
      .execute();
    await setSuspendedFrom(tx, technician, null);
    const event = suspensionEvent('technician.reinstated', loggedAs(technician), { id: asked.id, day: from });
    await appendLeaves(tx, [event]);
    await appendActivity(tx, {
      ...aboutThem(who, technician),
      kind: 'technician.reinstated',
      actorId,
      details: `${email}: suspension lifted from ${formatDay(from)}`,
    });
    return DONE;
  });
}

/** The live technician with this address, locked, for a decision by somebody else. */
export async function lockForDecision(
  tx: Tx,
  who: SignedIn,
  email: string,
): Promise<{ technician: Technician } | NotDecided> {
  const technician = await lockTechnician(tx, email);
  if (technician === undefined) return { decided: false, reason: 'unknown' };
  if (technician.deletedAt !== null)
    return { decided: false, reason: 'removed', by: technician.deletedBy ?? 'Anonymous' };
  return technician.personId === who.personId ? { decided: false, reason: 'self' } : { technician };
}

/** What the activities about a technician's good standing have in common. Their own pages reload too. */
export const aboutThem = (who: SignedIn, { id, personId }: Technician) => ({
  subject: 'technician',
  subjectId: id,
  persons: [who.personId, personId],
});

async function setSuspendedFrom(tx: Tx, { id }: Technician, suspendedFrom: string | null): Promise<void> {
  await tx.updateTable('technician').set({ suspendedFrom }).where('id', '=', id).execute();
}
