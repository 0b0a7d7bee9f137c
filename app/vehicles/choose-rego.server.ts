// Under which rego a vehicle may have a plate. The text alone names it, unless another live vehicle has the text: then
// both states must be known and differ, and this one has its state in its rego.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { hasText } from './plates.server.ts';
import { mayBeSame } from './plates.ts';

export type Plate = { text: string; state: string };
type Bearer = { rego: string; plateState: string };

/** `isSecond`: another live vehicle has the text, in another state. `other`: the one that is in the way. */
export type ChosenRego = { ok: true; rego: string; isSecond: boolean } | { ok: false; other: Bearer };

/** `vehicleId`: of the vehicle itself, where it is there already. */
export async function chooseRego(tx: Tx, { text, state }: Plate, vehicleId?: string): Promise<ChosenRego> {
  const bearers = await listBearers(tx, text, vehicleId);
  const other = bearers.find(({ plateState }) => mayBeSame(plateState, state));
  if (other !== undefined) return { ok: false, other };
  return { ok: true, rego: bearers.length === 0 ? text : `${text}-${state}`, isSecond: bearers.length > 0 };
}

/** The live vehicles that have the text, but for the one with the id `except`. */
export async function listBearers(tx: Db | Tx, text: string, except = ''): Promise<Bearer[]> {
  const { rows } = await sql<Bearer>`
    select rego, plate_state from vehicle
    where deleted_at is null and ${hasText(sql`rego`, sql`${text}`)} and id::text <> ${except} order by rego`.execute(
    tx,
  );
  return rows;
}

/** Whether the text is or was another vehicle's here: live, removed, or under a former plate. */
export async function wasAnothers(tx: Tx, text: string, vehicleId: string): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`select
    exists (select from vehicle where id <> ${vehicleId}::uuid and ${hasText(sql`rego`, sql`${text}`)})
    or exists (select from former_plate where vehicle_id <> ${vehicleId}::uuid
      and split_part(rego, '-', 1) = ${text}) as was`.execute(tx);
  return rows[0]?.was === true;
}

/** What to do where another vehicle has the plate. */
export function takenSentence({ text, state }: Plate, { plateState }: Bearer): string {
  const words = state === '' || state !== plateState ? text : `${text} ${state}`;
  if (state !== '' && plateState === '')
    return `${words} is on another truck, whose state is not known. Enter that truck’s state first.`;
  if (state === '' && plateState !== '')
    return `${words} is on another truck, in ${plateState}. If this one is of another state, say which.`;
  return `${words} is on another truck today. If it moved to this one, change that truck’s plate first.`;
}
