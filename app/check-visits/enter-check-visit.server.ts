// The steps of a check visit, each for the write that causes it: what is written here comes with a leaf and an
// activity, which the caller appends with its own. The truck is locked.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { ActivityKind } from '#app/activity-log/activity.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { checkVisitEvent, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { WANTED_DAYS, type CheckVisitResult } from './check-visit.ts';
import { openCheckVisit, type CheckVisitRow } from './queries.server.ts';

export type Entered = { leaf: LeafEvent; activity: ActivityEntry };

/** Who did it, and when. `actorId`: null for what happens by itself. */
export type By = { actorId: number | null; personId?: string; now: Date };

type Wanted = { visitId: string; note?: string };

/** A check visit of `visitId` is wanted from now on. The truck has no other. `actorId`: null, it was drawn. */
export async function wantCheckVisit(
  tx: Tx,
  vehicle: LoggedVehicle,
  { visitId, note = '', by }: { by: By } & Wanted,
): Promise<Entered> {
  const { actorId, now } = by;
  const row = await tx
    .insertInto('checkVisit')
    .values({
      vehicleId: vehicle.id,
      visitId,
      why: actorId === null ? 'drawn' : 'asked',
      askedBy: actorId,
      askedAt: now,
      // In UTC, as the day of an entry of the log.
      untilOn: addDays(now.toISOString().slice(0, 10), WANTED_DAYS),
      note,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return enteredOf(actorId === null ? 'check-visit.drawn' : 'check-visit.asked', vehicle, { before: null, row, ...by });
}

/** `closedBy`, a visit of somebody else, closes it; or its result is another since that was corrected. */
export const closeCheckVisit = (
  tx: Tx,
  vehicle: LoggedVehicle,
  { row, closedBy, result, by }: { row: CheckVisitRow; closedBy: string; result: CheckVisitResult; by: By },
): Promise<Entered> =>
  step(tx, 'check-visit.done', {
    vehicle,
    before: row,
    change: { state: 'done', endedAt: row.endedAt ?? by.now, closedBy, result },
    by,
  });

/** It is wanted no longer: an admin withdrew it or removed the truck, or nobody came in time. */
export const endCheckVisit = (
  tx: Tx,
  vehicle: LoggedVehicle,
  { row, state, by }: { row: CheckVisitRow; state: 'lapsed' | 'withdrawn'; by: By },
): Promise<Entered> => {
  const end = { endedAt: by.now, endedBy: state === 'withdrawn' ? by.actorId : null, closedBy: null, result: null };
  return step(tx, `check-visit.${state}`, { vehicle, before: row, change: { state, ...end }, by });
};

/** What had ended is wanted again, to the same day. */
export const reopenCheckVisit = (
  tx: Tx,
  vehicle: LoggedVehicle,
  { row, by }: { row: CheckVisitRow; by: By },
): Promise<Entered> => {
  const open = { state: 'open', endedAt: null, endedBy: null, closedBy: null, result: null } as const;
  return step(tx, 'check-visit.reopened', { vehicle, before: row, change: open, by });
};

/** A removed truck is not weighed again. `now`: the moment of the removal. */
export async function endByRemoval(tx: Tx, vehicle: LoggedVehicle, by: By): Promise<Entered[]> {
  const row = await openCheckVisit(tx, vehicle.id);
  return row === undefined ? [] : [await endCheckVisit(tx, vehicle, { row, state: 'withdrawn', by })];
}

/**
 * What the removal at `removedAt` ended is wanted again once the truck is restored: else removing and restoring it
 * would be a way out of a check visit.
 */
export async function reopenByRestoring(
  tx: Tx,
  vehicle: LoggedVehicle,
  { removedAt, by }: { removedAt: Date | null; by: By },
): Promise<Entered[]> {
  if (removedAt === null) return [];
  const row = await tx
    .selectFrom('checkVisit')
    .selectAll()
    .where('vehicleId', '=', vehicle.id)
    .where('state', '=', 'withdrawn')
    .where('endedAt', '=', removedAt)
    .executeTakeFirst();
  return row === undefined ? [] : [await reopenCheckVisit(tx, vehicle, { row, by })];
}

type Kind = Extract<ActivityKind, `check-visit.${string}`>;
type Change = Pick<CheckVisitRow, 'state' | 'endedAt' | 'closedBy' | 'result'> & { endedBy?: number | null };

async function step(
  tx: Tx,
  kind: Kind,
  { vehicle, before, change, by }: { vehicle: LoggedVehicle; before: CheckVisitRow; change: Change; by: By },
): Promise<Entered> {
  const row = await tx
    .updateTable('checkVisit')
    .set(change)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return enteredOf(kind, vehicle, { before, row, ...by });
}

const LEAVES = {
  'check-visit.asked': 'check-visit.wanted',
  'check-visit.drawn': 'check-visit.wanted',
  'check-visit.reopened': 'check-visit.wanted',
  'check-visit.done': 'check-visit.done',
  'check-visit.lapsed': 'check-visit.lapsed',
  'check-visit.withdrawn': 'check-visit.withdrawn',
} as const;

const enteredOf = (
  kind: Kind,
  vehicle: LoggedVehicle,
  { before, row, actorId, personId }: { before: CheckVisitRow | null; row: CheckVisitRow } & By,
): Entered => ({
  leaf: checkVisitEvent(LEAVES[kind], vehicle, row),
  activity: {
    kind,
    actorId,
    subject: 'visit',
    subjectId: row.visitId,
    details: vehicle.rego,
    changes: [{ field: 'check_visit', from: wordOf(before), to: wordOf(row) }],
    rego: vehicle.rego,
    persons: personId === undefined ? [] : [personId],
  },
});

const wordOf = (row: CheckVisitRow | null): string | null =>
  row && [row.state, row.result].filter((word) => word !== null).join(': ');

/** For a step with which nothing else is written. */
export async function appendEntered(tx: Tx, { leaf, activity }: Entered): Promise<void> {
  await appendLeaves(tx, [leaf]);
  await appendActivities(tx, [activity]);
}

export const leavesOf = (entered: readonly Entered[]): LeafEvent[] => entered.map(({ leaf }) => leaf);
export const activitiesOf = (entered: readonly Entered[]): ActivityEntry[] => entered.map(({ activity }) => activity);
