// Joins two records of one truck: one keeps its address, the other is closed, and what belongs to it comes along. Both
// addresses lead to one verdict then. Where that is better than what one of them led to, another admin confirms it.
import { sql } from 'kysely';
import { appendActivity, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { WORST_FIRST } from '#app/combination/combination.ts';
import { hasOtherAdmin, secondPerson } from '#app/people/two-people.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { joinedEvent, vehicleEvent } from '#app/transparency-log/events.server.ts';
import { aboutVehicle } from '#app/vehicles/about-vehicle.server.ts';
import { applyDueRule, takeOver } from '#app/vehicles/due-date.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { listFormerPlates } from '#app/vehicles/plates.server.ts';
import { plateSince } from '#app/vehicles/plates.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';
import { moveRecords } from './move-records.server.ts';
import { findJoin } from './queries.server.ts';

type Joining = Pick<Services, 'db' | 'now'> & { config: Pick<Services['config'], 'timeZone'> };

/** `gone`: one of them was removed, or they have no VIN in common any more. */
export type JoinRefusal = { reason: 'gone' | 'both-wanted' };
export type JoinAnswer =
  | { joined: true; rego: string }
  /** It waits for a second admin. */
  | { joined: false; asked: true }
  | ({ joined: false } & (JoinRefusal | { reason: 'asked-already' }));

/** `vehicleId`: the record that is closed. */
export type AskedJoin = { vehicleId: string; keptId: string };

export function joinRecords(
  services: Joining,
  who: SignedIn,
  { key, ...asked }: AskedJoin & { key: unknown },
): Promise<JoinAnswer> {
  const at = services.now();
  const on = { kind: 'vehicle.joined', key, values: asked } as const;
  return idempotent<JoinAnswer>(services.db, { who, ...on }, async (tx) => {
    const pair = await lockPair(tx, asked);
    if ('reason' in pair) return { joined: false, ...pair };
    const actorId = await actorOf(tx, who);
    const added = await tx
      .insertInto('joinedRecord')
      .values({ ...asked, askedBy: actorId, askedAt: at })
      .onConflict((open) => open.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added === undefined) return { joined: false, reason: 'asked-already' };
    const isAlone = !(await hasOtherAdmin(tx, who.personId));
    await sql`savepoint before_join`.execute(tx);
    const moved = await closeInto(tx, pair, { services, id: added.id, actorId, isAlone, at });
    const by = { actorId, persons: [who.personId] };
    if (moved.isBetter && !isAlone) {
      await sql`rollback to savepoint before_join`.execute(tx);
      await appendActivity(tx, {
        kind: 'join.asked',
        ...aboutVehicle(pair.kept, actorId, who),
        regos: [pair.other.rego],
        details: `${pair.other.rego} with ${pair.kept.rego}`,
      });
      return { joined: false, asked: true };
    }
    await log(tx, moved, { by, words: isAlone && moved.isBetter ? ', by the only administrator' : '' });
    return { joined: true, rego: pair.kept.rego };
  });
}

export type DecideJoinAnswer =
  | { decided: true; rego: string }
  | ({ decided: false } & (JoinRefusal | { reason: 'own' | 'too-new' }));

/** A second admin confirms a join, or any admin declines it. What is confirmed is looked at as it is then. */
export function decideJoin(
  services: Joining,
  who: SignedIn,
  { id, isConfirmed, key }: { id: string; isConfirmed: boolean; key: unknown },
): Promise<DecideJoinAnswer> {
  const at = services.now();
  const on = { kind: isConfirmed ? 'vehicle.joined' : 'join.declined', key, values: { id, isConfirmed } } as const;
  return idempotent<DecideJoinAnswer>(services.db, { who, ...on }, async (tx) => {
    const known = await findJoin(tx, id);
    if (known === undefined) return { decided: false, reason: 'gone' };
    const pair = await lockPair(tx, known);
    // Of two decisions at one time the second finds what the first made of it.
    const join = await findJoin(tx, id);
    if (join?.joinedAt !== null) return { decided: false, reason: 'gone' };
    const actorId = await actorOf(tx, who);
    const by = { actorId, persons: [who.personId, join.personId] };
    if (!isConfirmed) {
      await tx.updateTable('joinedRecord').set({ declinedBy: actorId, declinedAt: at }).where('id', '=', id).execute();
      await appendActivity(tx, {
        kind: 'join.declined',
        ...aboutVehicle({ id: join.keptId, rego: join.kept }, actorId, who),
        ...by,
        regos: [join.rego],
        details: `${join.rego} with ${join.kept}`,
      });
      return { decided: true, rego: join.kept };
    }
    if ('reason' in pair) return { decided: false, ...pair };
    const second = await secondPerson(tx, who.personId, { parts: [join.personId], now: at });
    if (!second.may) return { decided: false, reason: second.reason };
    const moved = await closeInto(tx, pair, { services, id, actorId, isAlone: second.isAlone, at });
    await log(tx, moved, { by, words: `, as ${join.name} asked` });
    return { decided: true, rego: join.kept };
  });
}

type Pair = { kept: Vehicle; other: Vehicle };

async function lockPair(tx: Tx, { vehicleId, keptId }: AskedJoin): Promise<Pair | JoinRefusal> {
  const rows = await tx
    .selectFrom('vehicle')
    .selectAll()
    .where('id', 'in', [vehicleId, keptId])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const [kept, other] = [keptId, vehicleId].map((id) => rows.find((row) => row.id === id));
  if (kept === undefined || other === undefined || kept.id === other.id) return { reason: 'gone' };
  if (knownVin(kept.vin) === '' || kept.vin !== other.vin) return { reason: 'gone' };
  const wanted = await tx
    .selectFrom('checkVisit')
    .select('id')
    .where('vehicleId', 'in', [vehicleId, keptId])
    .where('state', '=', 'open')
    .execute();
  return wanted.length > 1 ? { reason: 'both-wanted' } : { kept, other };
}

type Moved = { kept: Vehicle; other: Vehicle; leaves: LeafEvent[]; isBetter: boolean };
type Closing = { services: Joining; id: string; actorId: number; isAlone: boolean; at: Date };

// The rows of a join, without its entries.
async function closeInto(
  tx: Tx,
  { kept, other }: Pair,
  { services: { config }, id, actorId, isAlone, at }: Closing,
): Promise<Moved> {
  const moment = { now: at, zone: config.timeZone };
  const on = todayIn(config.timeZone, at);
  const [takenKept, takenOther] = [await takeOver(tx, kept, moment), await takeOver(tx, other, moment)];
  const plate = await tx
    .insertInto('formerPlate')
    .values({
      vehicleId: other.id,
      rego: other.rego,
      state: other.plateState,
      sinceOn: plateSince(await listFormerPlates(tx, other.id)),
      untilOn: on,
      why: 'joined',
      changedAt: at,
      changedBy: actorId,
      confirmedBy: actorId,
    })
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow();
  await moveRecords(tx, { from: other.id, to: kept.id });
  const closed = { joinedInto: kept.id, deletedAt: at, deletedBy: actorId, version: other.version + 1 };
  await tx.updateTable('vehicle').set(closed).where('id', '=', other.id).execute();
  const edited = { version: kept.version + 1, updatedAt: at, updatedBy: actorId };
  await tx.updateTable('vehicle').set(edited).where('id', '=', kept.id).execute();
  const before = { keptDueOn: kept.nextCalibrationDueOn, keptRestsOn: kept.restsOn };
  const done = { joinedBy: actorId, joinedAt: at, isAlone, ...before };
  await tx.updateTable('joinedRecord').set(done).where('id', '=', id).execute();
  await applyVisits(tx, kept, actorId);
  const [keptNow, otherNow] = [await findById(tx, kept.id), await findById(tx, other.id)];
  const policy = await currentPolicy(tx);
  const rank = (vehicle: Vehicle) => {
    const { verdict } = judge(verdictFacts(vehicle), on, policy);
    return `${WORST_FIRST.findIndex(({ word }) => word === verdict)} ${vehicle.nextCalibrationDueOn ?? '9999'}`;
  };
  // A record without calibrations has nothing that the join could hide.
  const compared = other.lastCalibratedAt === null ? [kept] : [kept, other];
  const [deleted, joined] = [
    vehicleEvent('vehicle.deleted', otherNow, { ...otherNow }),
    joinedEvent(keptNow, { id, on, plate }),
  ];
  return {
    kept: keptNow,
    other: otherNow,
    leaves: [
      { ...deleted, records: [...takenOther, ...deleted.records] },
      { ...joined, records: [...takenKept, ...joined.records] },
    ],
    isBetter: compared.some((vehicle) => rank(keptNow) > rank(vehicle)),
  };
}

export const findById = (tx: Tx, id: string): Promise<Vehicle> =>
  tx.selectFrom('vehicle').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Applies the rule of the newest visit to a locked vehicle, if it has any. Returns whether it has. */
export async function applyVisits(tx: Tx, { id }: Pick<Vehicle, 'id'>, actorId: number): Promise<boolean> {
  const visit = await tx.selectFrom('visit').select('id').where('vehicleId', '=', id).limit(1).executeTakeFirst();
  if (visit !== undefined) await applyDueRule(tx, await findById(tx, id), actorId);
  return visit !== undefined;
}

async function log(
  tx: Tx,
  { kept, other, leaves }: Moved,
  { by, words }: { by: Pick<ActivityEntry, 'actorId' | 'persons'>; words: string },
): Promise<void> {
  await appendLeaves(tx, leaves);
  await appendActivity(tx, {
    kind: 'vehicle.joined',
    subject: 'vehicle',
    subjectId: kept.id,
    rego: kept.rego,
    regos: await regosOf(tx, kept),
    ...by,
    details: `${other.rego} joined with ${kept.rego}${words}`,
  });
}

/** The addresses at which people look for the truck. */
export async function regosOf(tx: Tx, { id, rego }: Pick<Vehicle, 'id' | 'rego'>): Promise<string[]> {
  const all = [rego, ...(await listFormerPlates(tx, id)).map((one) => one.rego)];
  return [...new Set(all.flatMap((one) => [one, plateText(one)]))];
}
