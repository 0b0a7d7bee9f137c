// When the whole history of each vehicle was last held against the public log, and what did not match, in sentences;
// beside it what somebody saw of a part since. Every answer about a vehicle reads it, so that all say the same as soon
// as one has found something.
import { sql, type RawBuilder } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { primaryOf, type Db } from '#app/platform/database/database.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

/** `at`: null, where only a part was seen. */
export type HistoryCheck = { at: Date | null; findings: string[] };
export type CheckedVehicle = { id: string; rego: string; findings: readonly string[] };
/** `before`: what was kept when a check of the whole history began. */
type Kept = CheckedVehicle & { before?: readonly string[] };

const CHECK = named<HistoryCheck>({ at: 'checked_at', findings: 'findings' });
// A page that anybody opens as often as they like does not write each time.
const SAID_AGAIN_MS = 3_600_000;

/** The last check of a vehicle, as SQL; no row: none so far. */
export const lastCheckOf = (vehicleId: RawBuilder<unknown>): RawBuilder<HistoryCheck> =>
  sql`select ${CHECK} from history_check where vehicle_id = ${vehicleId}`;

/** The same; null: none so far. */
export const findLastCheck = async (db: Db, vehicleId: string): Promise<HistoryCheck | null> =>
  (await lastCheckOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows[0] ?? null;

/** A condition: the last check of the vehicle found something. */
export const hasFindings = (vehicleId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from history_check found where found.vehicle_id = ${vehicleId} and found.findings <> '{}')`;

/**
 * Keeps what checks found. `at`: when the whole histories were checked; null: a part was. What a whole check found
 * takes the place of what stood `before` it; what was found meanwhile, or of a part, stands beside what is kept. Where
 * that is something else than before, open pages, caches and followers learn it with the commit.
 */
export async function keepChecks(db: Db, checked: readonly Kept[], at: Date | null): Promise<void> {
  if (checked.length === 0) return;
  await primaryOf(db)
    .transaction()
    .execute(async (tx) => {
      const { rows } = await sql<{ id: string; rego: string; count: number }>`
      with asked as (
        select (c ->> 'id')::uuid as id, c ->> 'rego' as rego,
          array(select jsonb_array_elements_text(c -> 'findings')) as findings,
          case when c ? 'before' then array(select jsonb_array_elements_text(c -> 'before')) end as before
        from jsonb_array_elements(${JSON.stringify(checked)}::jsonb) c order by 1),
      kept as (
        insert into history_check as h (vehicle_id, findings, checked_at) select id, findings, ${at}::timestamptz from asked
        on conflict (vehicle_id) do update set checked_at = coalesce(excluded.checked_at, h.checked_at),
          findings = case when h.findings = (select a.before from asked a where a.id = h.vehicle_id) then excluded.findings
            else array(select distinct f from unnest(h.findings || excluded.findings) f order by f) end
        returning vehicle_id, findings)
      select id, rego, cardinality(kept.findings) as count from asked join kept on kept.vehicle_id = asked.id
      left join lateral (select h.findings as stood from history_check h where h.vehicle_id = asked.id) b on true
      where not (coalesce(stood, '{}') @> kept.findings and coalesce(stood, '{}') <@ kept.findings)`.execute(tx);
      if (rows.length === 0) return;
      // As a trigger does for what else may change a verdict.
      await sql`update follower set look_on = '-infinity' where vehicle_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(
        tx,
      );
      await appendActivities(
        tx,
        rows.map(({ id, rego, count }) => ({
          kind: 'history.checked',
          actorId: null,
          subject: 'vehicle',
          subjectId: id,
          rego,
          details: `${rego}: ${count === 0 ? 'every record is what was logged again' : 'records are not what was logged'}`,
        })),
      );
    });
}

/** Keeps what a check of the whole history that somebody caused found, if it is new. `before`: the last check. */
export async function keepCheck(
  db: Db,
  vehicle: CheckedVehicle,
  { before, now }: { before: HistoryCheck | null; now: Date },
): Promise<void> {
  const isRecent = before?.at != null && now.getTime() - before.at.getTime() < SAID_AGAIN_MS;
  if (!isRecent || JSON.stringify(before?.findings) !== JSON.stringify(vehicle.findings))
    await keepChecks(db, [{ ...vehicle, before: before?.findings ?? [] }], now);
}

/** Keeps what somebody saw of a part of the history, beside what is kept. Never fails the answer that saw it. */
export async function keepSeen(db: Db, vehicle: CheckedVehicle, before: HistoryCheck | null): Promise<void> {
  const kept = before?.findings ?? [];
  if (vehicle.findings.every((finding) => kept.includes(finding))) return;
  await keepChecks(db, [vehicle], null).catch((error: unknown) => {
    // A database that can only be read keeps nothing: the next look finds it again.
    if (!isUnavailable(error)) throw error;
  });
}

/** The same, of the live vehicle with this rego. */
export async function keepFound(db: Db, rego: string, findings: readonly string[]): Promise<void> {
  if (findings.length === 0) return;
  const vehicle = await db
    .selectFrom('vehicle')
    .select(['id', 'rego'])
    .where('rego', '=', rego)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (vehicle !== undefined) await keepSeen(db, { ...vehicle, findings }, await findLastCheck(db, vehicle.id));
}
