// Live records that share a VIN, and joins.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';

/** A VIN on several live records. `isFull`: it holds their visits back. */
export type Conflict = { vin: string; isFull: boolean; regos: string[] };

// Two live records with one VIN, but for those that an admin told apart. The lists of VINs is made first: a join of all
// vehicles with themselves takes ten times as long.
const PAIRS = sql`
  with shared as materialized (select vin from vehicle where vin <> '' and deleted_at is null group by vin having count(*) > 1)
  select a.vin, a.id as first_id, b.id as second_id, a.rego as first_rego, b.rego as second_rego
  from shared join vehicle a on a.vin = shared.vin join vehicle b on b.vin = shared.vin and b.id > a.id
  where known_vin(a.vin) <> '' and a.deleted_at is null and b.deleted_at is null and not exists (
    select from two_trucks t where t.first_id = a.id and t.second_id = b.id and t.vin = a.vin)`;

/** Those that hold visits back first. */
export async function listConflicts(db: Db, fullLength: number): Promise<Conflict[]> {
  const { rows } = await sql<Conflict>`
    select vin, length(vin) >= ${fullLength} as is_full, array_agg(distinct rego order by rego) as regos
    from (${PAIRS}) p cross join lateral (values (first_rego), (second_rego)) r (rego)
    group by vin order by is_full desc, vin`.execute(db);
  return rows;
}

/** The ids of the first two records with this VIN that nobody decided about. */
export async function findPair(db: Db | Tx, vin: string): Promise<[string, string] | undefined> {
  const { rows } = await sql<{ firstId: string; secondId: string }>`
    select first_id, second_id from (${PAIRS}) p where vin = ${vin} order by least(first_rego, second_rego),
      greatest(first_rego, second_rego) limit 1`.execute(db);
  const [pair] = rows;
  return pair === undefined ? undefined : [pair.firstId, pair.secondId];
}

/** A join, with the records as they are called now. `personId`, `name`: of who asked for it. */
export type JoinRow = {
  id: string;
  vehicleId: string;
  keptId: string;
  rego: string;
  kept: string;
  askedAt: Date;
  joinedAt: Date | null;
  isAlone: boolean;
  keptDueOn: string | null;
  keptRestsOn: '' | 'visit' | 'nothing';
  personId: string;
  name: string;
};

const listJoins = async (db: Db | Tx, where: RawBuilder<unknown>): Promise<JoinRow[]> =>
  (
    await sql<JoinRow>`select j.id, j.vehicle_id, j.kept_id, v.rego, k.rego as kept, j.asked_at, j.joined_at, j.is_alone,
      j.kept_due_on, j.kept_rests_on, a.person_id, a.name
    from joined_record j join vehicle v on v.id = j.vehicle_id join vehicle k on k.id = j.kept_id
      join actor a on a.id = j.asked_by
    where j.declined_at is null and j.parted_at is null and ${where} order by j.asked_at, j.id`.execute(db)
  ).rows;

/** A join that waits or was done; undefined: it was declined or undone, or there is none. */
export const findJoin = async (db: Db | Tx, id: string): Promise<JoinRow | undefined> =>
  isUuid(id) ? (await listJoins(db, sql`j.id = ${id}::uuid`))[0] : undefined;

/** Those that wait for a second admin, and those that were done since `from`. The oldest first. */
export const listOpenJoins = (db: Db, from: Date): Promise<JoinRow[]> =>
  listJoins(
    db,
    sql`(j.joined_at >= ${from} or (j.joined_at is null and v.deleted_at is null and k.deleted_at is null))`,
  );
