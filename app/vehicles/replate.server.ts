// Gives a vehicle another plate, or says why not. The vehicle stays the same: id, history, proofs and followers.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { appendActivity, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { replatedEvent } from '#app/transparency-log/events.server.ts';
import { chooseRego, type ChosenRego, type Plate } from './choose-rego.server.ts';
import { continueVersions } from './continue-versions.server.ts';
import { hasText, listFormerPlates } from './plates.server.ts';
import { plateSince, plateWords, WHYS, type Why } from './plates.ts';
import type { Vehicle } from './queries.server.ts';
import { plateText } from './plate-text.ts';

/** `fromOn`: the day from which the truck has it. */
export type AskedPlate = Plate & { fromOn: string; why: Why };

export type PlateRefusal =
  | { reason: 'same' }
  /** The text stays, and no state was known: that is no change of the plate. */
  | { reason: 'state-added' }
  | { reason: 'future' }
  /** The truck has its present plate since then. */
  | { reason: 'too-early'; since: string }
  /** Another truck had it until then. */
  | { reason: 'overlaps'; rego: string; untilOn: string }
  | { reason: 'taken'; other: Extract<ChosenRego, { ok: false }>['other'] };

/** `sinceOn`, `untilOn`: of the plate that ends. */
export type PlatePlan = { rego: string; isSecond: boolean; sinceOn: string | null; untilOn: string };

/** What the change of the locked `vehicle` would be. `today`: in the registry's zone. */
export async function planPlate(
  tx: Tx,
  vehicle: Vehicle,
  { asked, today }: { asked: AskedPlate; today: string },
): Promise<PlatePlan | PlateRefusal> {
  const { text, state, fromOn, why } = asked;
  if (text === plateText(vehicle.rego)) {
    if (state === vehicle.plateState) return { reason: 'same' };
    if (vehicle.plateState === '') return { reason: 'state-added' };
  }
  if (fromOn > today) return { reason: 'future' };
  const sinceOn = plateSince(await listFormerPlates(tx, vehicle.id));
  // What was typed wrong never was on the truck: it ends today.
  const untilOn = why === 'typed-wrong' ? today : fromOn;
  if (sinceOn !== null && untilOn < sinceOn) return { reason: 'too-early', since: sinceOn };
  const chosen = await chooseRego(tx, asked, vehicle.id);
  if (!chosen.ok) return { reason: 'taken', other: chosen.other };
  const before = why === 'typed-wrong' ? undefined : await lastBefore(tx, asked, vehicle.id);
  if (before !== undefined) return { reason: 'overlaps', ...before };
  return { rego: chosen.rego, isSecond: chosen.isSecond, sinceOn, untilOn };
}

// Another truck that had the plate on the day or later.
async function lastBefore(
  tx: Tx,
  { text, state, fromOn }: AskedPlate,
  vehicleId: string,
): Promise<{ rego: string; untilOn: string } | undefined> {
  const { rows } = await sql<{ rego: string; untilOn: string }>`
    select v.rego, f.until_on from former_plate f join vehicle v on v.id = f.vehicle_id
    where split_part(f.rego, '-', 1) = ${text} and f.vehicle_id <> ${vehicleId}::uuid and f.until_on > ${fromOn}::date
      and (${state} = '' or f.state in ('', ${state})) and f.why <> 'typed-wrong'
    order by f.until_on desc limit 1`.execute(tx);
  return rows[0];
}

/** `changedBy`: who asked for it; `confirmedBy`: the admin who looked, if one did. */
type By = { actorId: number; changedBy: number; confirmedBy: number | null; persons: readonly string[]; now: Date };

/** Carries `plan` out. Throws where another transaction took the rego meanwhile (a unique violation). */
export async function replate(
  tx: Tx,
  vehicle: Vehicle,
  { plan, asked, by }: { plan: PlatePlan; asked: AskedPlate; by: By },
): Promise<void> {
  const { id, rego: before, plateState: stateBefore } = vehicle;
  const { rego, sinceOn, untilOn } = plan;
  const { state, why } = asked;
  await tx
    .updateTable('vehicle')
    .set({ rego, plateState: state, updatedAt: by.now, updatedBy: by.actorId })
    .where('id', '=', id)
    .execute();
  const plate = await tx
    .insertInto('formerPlate')
    .values({
      vehicleId: id,
      rego: before,
      state: stateBefore,
      sinceOn,
      untilOn,
      why,
      changedAt: by.now,
      changedBy: by.changedBy,
      confirmedBy: by.confirmedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await continueVersions(tx, { id, rego });
  await appendLeaves(tx, [
    // The chain goes on under the rego with which it began.
    replatedEvent({ ...vehicle, rego: before }, { plateId: plate.id, on: untilOn, state, before: stateBefore, why }),
  ]);
  const words = `${plateWords(plateText(before), stateBefore)} is ${plateWords(asked.text, state)} now`;
  await appendActivity(tx, {
    kind: 'vehicle.replated',
    actorId: by.actorId,
    subject: 'vehicle',
    subjectId: id,
    rego,
    regos: await pagesOf(tx, id),
    persons: by.persons,
    details: `${words}, from ${untilOn}: ${whyWords(why)}`,
    changes: [
      ...(before === rego ? [] : [{ field: 'rego', from: before, to: rego }]),
      ...(stateBefore === state ? [] : [{ field: 'plate_state', from: stateBefore, to: state }]),
    ],
  } satisfies ActivityEntry);
}

const whyWords = (why: Why): string => WHYS.find(({ value }) => value === why)?.label.toLowerCase() ?? why;

// The pages that name the vehicle: under each text that it has or had, its own, and those of other vehicles with it.
async function pagesOf(tx: Tx, vehicleId: string): Promise<string[]> {
  const { rows } = await sql<{ rego: string }>`
    with name as (select rego from vehicle where id = ${vehicleId}::uuid
      union select rego from former_plate where vehicle_id = ${vehicleId}::uuid),
    text as (select distinct split_part(rego, '-', 1) as text from name)
    select rego from name union select text from text
    union select v.rego from text join vehicle v on ${hasText(sql`v.rego`, sql`text.text`)}
    union select v.rego from text join former_plate f on split_part(f.rego, '-', 1) = text.text
      join vehicle v on v.id = f.vehicle_id`.execute(tx);
  return rows.map(({ rego }) => rego);
}
