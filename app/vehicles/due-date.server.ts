// What moves a truck's due date: the newest visit that counts, was accepted, or was taken over.
import { sql, type RawBuilder } from 'kysely';
import type { ActivityChange } from '#database/tables.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { COUNTING_STATES } from '#app/tlog/rests-on.ts';
import { ofRulingVisit } from '#app/transparency-log/ruling-visit.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import type { Vehicle } from './queries.server.ts';

type RuledVehicle = Pick<Vehicle, 'id' | 'vin' | 'nextCalibrationDueOn' | 'lastCalibratedAt' | 'restsOn'>;

/** `zone`: the registry's. */
export type Moment = { now: Date; zone: string };

type Ruling = {
  id: string;
  state: (typeof COUNTING_STATES)[number];
  visitedOn: string;
  /** Set by an admin, or the visit's own. */
  dueOn: string | null;
  ownDueOn: string | null;
};

/** The visit that rules; undefined: none counts. */
export const rulingVisit = async (tx: Tx, vehicleId: string): Promise<Ruling | undefined> =>
  (await rulingVisits(tx, [vehicleId])).get(vehicleId);

async function rulingVisits(tx: Tx, vehicleIds: readonly string[]): Promise<Map<string, Ruling>> {
  const ruling = ofRulingVisit(
    sql`asked.id::uuid`,
    sql`t.vehicle_id, t.id, t.state, t.visited_on, coalesce(t.hand_due_on, t.due_on) as due_on, t.due_on as own_due_on`,
  );
  const { rows } = await sql<Ruling & { vehicleId: string }>`select ruling.*
    from jsonb_array_elements_text(${JSON.stringify(vehicleIds)}::jsonb) asked (id)
    cross join lateral (${ruling}) ruling`.execute(tx);
  return new Map(rows.map(({ vehicleId, ...ruling }) => [vehicleId, ruling]));
}

/**
 * When the visit that rules was, as SQL. A vehicle's own column has its newest reading, which may count for nothing.
 */
export const ruledAt = (vehicleId: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql`(${ofRulingVisit(vehicleId, sql`t.visited_at`)})`;

/** What the rule changed. `records`: for the leaf, which says on what the verdict rests, if another visit rules too. */
export type Ruled = {
  changes: ActivityChange[];
  records: RecordRef[];
  dueOn: string | null;
  restsOn: Vehicle['restsOn'];
};

/**
 * Applies the rule to a locked vehicle that has visits: the due date is that of the visit that rules, and none where no
 * visit counts. The caller appends a leaf that covers `records`. `actorId`: null for what happens by itself.
 */
export async function applyDueRule(tx: Tx, vehicle: RuledVehicle, actorId: number | null): Promise<Ruled> {
  const ruled = (await applyDueRules(tx, [vehicle], { actorId })).get(vehicle.id);
  if (ruled === undefined) throw new Error('the rule gave no due date');
  return ruled;
}

/** The same for many vehicles at once, by their ids. `known`: the visits that rule, if they were just read. */
export async function applyDueRules(
  tx: Tx,
  vehicles: readonly RuledVehicle[],
  { actorId, known }: { actorId: number | null; known?: ReadonlyMap<string, Ruling> | undefined },
): Promise<Map<string, Ruled>> {
  const ids = vehicles.map(({ id }) => id);
  const rulings = known ?? (await rulingVisits(tx, ids));
  const all = new Map(vehicles.map((vehicle) => [vehicle.id, ruleOf(vehicle, rulings.get(vehicle.id))]));
  const changed = vehicles.flatMap(({ id, restsOn }) => {
    const ruled = all.get(id);
    return ruled === undefined || (ruled.changes.length === 0 && ruled.restsOn === restsOn)
      ? []
      : [[id, ruled] as const];
  });
  if (changed.length === 0) return all;
  // A form shows the due date: one that was opened before is stale. Each list in a query of its own: a planner that saw
  // how few they are would plan again each time.
  await sql`update vehicle v set rests_on = r.rests_on, next_calibration_due_on = r.due_on,
      version = v.version + r.moved::int,
      updated_at = case when r.moved then ${new Date()}::timestamptz else v.updated_at end,
      updated_by = case when r.moved then ${actorId}::bigint else v.updated_by end
    from unnest((select ${changed.map(([id]) => id)}::uuid[]), (select ${changed.map(([, { restsOn }]) => restsOn)}::text[]),
      (select ${changed.map(([, { dueOn }]) => dueOn)}::date[]),
      (select ${changed.map(([, { changes }]) => changes.length > 0)}::boolean[]))
      as r (id, rests_on, due_on, moved)
    where v.id = r.id`.execute(tx);
  return all;
}

function ruleOf({ id, nextCalibrationDueOn: before }: RuledVehicle, ruling: Ruling | undefined): Ruled {
  const dueOn = ruling?.dueOn ?? null;
  return {
    changes: dueOn === before ? [] : [dueChange(before, dueOn)],
    records: [{ table: 'vehicle', key: id }],
    dueOn,
    restsOn: restsOnState(ruling?.state),
  };
}

/** What `rests_on` of a vehicle says when the visit that rules has this state; undefined: none rules. */
export function restsOnState(state: string | undefined): '' | 'nothing' | 'visit' {
  if (state === undefined) return 'nothing';
  return state === 'taken-over' ? '' : 'visit';
}

/**
 * Before the first visit of a vehicle whose readings are from before there were visits, or imported: one visit stands
 * for all of them, with the due date as it stood. Returns the records for the leaf to cover.
 */
export async function takeOver(
  tx: Tx,
  { id, vin, lastCalibratedAt: last, nextCalibrationDueOn, restsOn }: RuledVehicle,
  { now, zone }: Moment,
): Promise<RecordRef[]> {
  if (last === null || restsOn !== '') return [];
  const known = await tx.selectFrom('visit').select('id').where('vehicleId', '=', id).limit(1).executeTakeFirst();
  if (known !== undefined) return [];
  const visitedAt = pastOf(last, now);
  const added = await tx
    .insertInto('visit')
    .values({
      vehicleId: id,
      visitedAt,
      visitedOn: todayIn(zone, visitedAt),
      openedAt: visitedAt,
      closedAt: visitedAt,
      dueOn: nextCalibrationDueOn,
      state: 'taken-over',
      vin,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return [{ table: 'visit', key: added.id }];
}

// An imported reading may state a day to come. What rests on it comes before the visit that is recorded now, all the
// same.
const pastOf = (at: Date, now: Date): Date => (at < now ? at : new Date(now.getTime() - 1));

/** Why an admin cannot set the due date; `latest`: the last day that can be set. */
export type DueRefusal =
  | { reason: 'due-without-reason' }
  | { reason: 'due-without-visit' }
  | { reason: 'due-too-late'; latest: string };

/** A due date that an admin sets for a locked, calibrated vehicle. */
export type DueByHand = Moment & { dueOn: string | null; reason: string; longestIntervalDays: number };

/** Why the due date cannot be set: earlier at will, later only up to the longest interval after the ruling visit. */
export async function dueByHandRefusal(
  tx: Tx,
  vehicle: RuledVehicle,
  { dueOn, reason, now, zone, longestIntervalDays }: DueByHand,
): Promise<DueRefusal | undefined> {
  if (reason === '') return { reason: 'due-without-reason' };
  const { nextCalibrationDueOn: before, lastCalibratedAt, restsOn } = vehicle;
  const takenOverOn =
    lastCalibratedAt === null || restsOn !== '' ? undefined : todayIn(zone, pastOf(lastCalibratedAt, now));
  const visitedOn = (await rulingVisit(tx, vehicle.id))?.visitedOn ?? takenOverOn;
  if (visitedOn === undefined) return { reason: 'due-without-visit' };
  const latest = addDays(visitedOn, longestIntervalDays);
  const isLater = dueOn === null || (before !== null && dueOn > before);
  return dueOn === null || (isLater && dueOn > latest) ? { reason: 'due-too-late', latest } : undefined;
}

/**
 * Sets the due date, which is not refused. It ends with the rule of the visit that rules now. The caller writes the
 * vehicle's own column, with a leaf for the records that this returns.
 */
export async function setDueByHand(
  tx: Tx,
  vehicle: RuledVehicle,
  { dueOn, now, zone }: Pick<DueByHand, 'dueOn' | 'now' | 'zone'>,
): Promise<RecordRef[]> {
  const records = await takeOver(tx, vehicle, { now, zone });
  const ruling = await rulingVisit(tx, vehicle.id);
  if (ruling === undefined) throw new Error('no visit rules the due date that is set by hand');
  await tx.updateTable('visit').set({ handDueOn: dueOn, dueKeptFrom: null }).where('id', '=', ruling.id).execute();
  return [...records.filter(({ key }) => key !== ruling.id), { table: 'visit', key: ruling.id }];
}

/**
 * Applies the rule to a locked vehicle of which visit `judged` was judged: where an older visit rules now, its due date
 * is not later than the one that stood. Else a bad correction could buy time.
 */
export async function applyDueRuleAfter(
  tx: Tx,
  vehicle: RuledVehicle,
  { judged, actorId }: { judged: string; actorId: number | null },
): Promise<Ruled> {
  const ruling = await rulingVisit(tx, vehicle.id);
  const stood = vehicle.nextCalibrationDueOn;
  const isKept = ruling !== undefined && ruling.id !== judged && stood !== null && isLater(ruling.dueOn, stood);
  const rules = isKept ? { ...ruling, dueOn: stood } : ruling;
  if (isKept)
    await tx.updateTable('visit').set({ handDueOn: stood, dueKeptFrom: judged }).where('id', '=', ruling.id).execute();
  const known = new Map(rules === undefined ? [] : [[vehicle.id, rules]]);
  const ruled = (await applyDueRules(tx, [vehicle], { actorId, known })).get(vehicle.id);
  if (ruled === undefined) throw new Error('the rule gave no due date');
  return isKept ? { ...ruled, records: [{ table: 'visit', key: ruling.id }, ...ruled.records] } : ruled;
}

const isLater = (day: string | null, than: string): boolean => day === null || day > than;

/**
 * Before a truck's visit: at the first, what was recorded before there were visits keeps its effect; without that,
 * nothing counts yet. Returns the records for a leaf to cover.
 */
export async function prepareFirst(tx: Tx, vehicle: RuledVehicle, moment: Moment): Promise<RecordRef[]> {
  if (vehicle.restsOn !== '') return [];
  if (vehicle.lastCalibratedAt !== null) return takeOver(tx, vehicle, moment);
  await tx.updateTable('vehicle').set({ restsOn: 'nothing' }).where('id', '=', vehicle.id).execute();
  return [{ table: 'vehicle', key: vehicle.id }];
}

export const dueChange = (from: string | null, to: string | null): ActivityChange => ({
  field: 'next_calibration_due',
  from,
  to,
});
