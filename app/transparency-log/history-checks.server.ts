// When the whole history of each vehicle was last held against the public log, and what did not match, in sentences. The page of
// a vehicle checks what it shows, and tells the rest from here.
import { sql, type RawBuilder } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';

export type HistoryCheck = { at: Date; findings: string[] };

const CHECK = named<HistoryCheck>({ at: 'checked_at', findings: 'findings' });
// A page that anybody opens as often as they like does not write each time.
const SAID_AGAIN_MS = 3_600_000;

/** The last check of a vehicle, as SQL; no row: none so far. */
export const lastCheckOf = (vehicleId: RawBuilder<unknown>): RawBuilder<HistoryCheck> =>
  sql`select ${CHECK} from history_check where vehicle_id = ${vehicleId}`;

/** A condition: the last check of the vehicle found something. */
export const hasFindings = (vehicleId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from history_check found where found.vehicle_id = ${vehicleId} and found.findings <> '{}')`;

/** Keeps what checks of these vehicles found, in the place of what was found before. */
export async function keepChecks(
  db: Db,
  checked: readonly { id: string; findings: readonly string[] }[],
  now: Date,
): Promise<void> {
  if (checked.length === 0) return;
  await sql`insert into history_check (vehicle_id, findings, checked_at)
    select (c ->> 'id')::uuid, array(select jsonb_array_elements_text(c -> 'findings')), ${now}
    from jsonb_array_elements(${JSON.stringify(checked)}::jsonb) c
    on conflict (vehicle_id) do update set findings = excluded.findings, checked_at = excluded.checked_at`.execute(db);
}

/** Keeps what a check that somebody caused has found, if it says anything new. `before`: the last check. */
export async function keepCheck(
  db: Db,
  id: string,
  findings: readonly string[],
  before: HistoryCheck | null,
  now: Date,
): Promise<void> {
  const isSame =
    before !== null &&
    JSON.stringify(before.findings) === JSON.stringify(findings) &&
    now.getTime() - before.at.getTime() < SAID_AGAIN_MS;
  if (!isSame) await keepChecks(db, [{ id, findings }], now);
}
