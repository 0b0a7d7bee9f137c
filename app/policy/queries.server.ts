// Queries on the policy's versions.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { FIRST_POLICY, type Policy } from './policy.ts';

const COLUMNS = ['version', 'intervalDays', 'dueSoonDays', 'tolerancePerMille', 'toleranceKg'] as const;

/** The policy in force. Not cached between requests, so that no verdict uses outdated rules. */
export async function currentPolicy(db: Db | Tx): Promise<Policy> {
  const latest = await db.selectFrom('policy').select(COLUMNS).orderBy('version', 'desc').limit(1).executeTakeFirst();
  // The table is empty until the first start inserts version 1.
  return latest ?? FIRST_POLICY;
}

/**
 * The policy in force and the activity log's size, read at the same moment in one round trip. Call it BEFORE reading a
 * page's data: the page's live updates begin at that size, so none is missed.
 */
export async function policyAndLogSize(db: Db): Promise<{ policy: Policy; since: number }> {
  const { rows } = await sql<{ since: number } & (Policy | { [Name in keyof Policy]: null })>`
    select size as since, version, interval_days, due_soon_days, tolerance_per_mille, tolerance_kg
    from activity_state left join (select * from policy order by version desc limit 1) latest on true`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no activity log');
  const { since, ...policy } = row;
  return { since, policy: policy.version === null ? FIRST_POLICY : policy };
}

/** SQL: the policy in force as a JSON object; null until the first start inserts version 1. */
export const POLICY_IN_FORCE = sql<Policy | null>`(select json_build_object('version', version, 'intervalDays', interval_days,
    'dueSoonDays', due_soon_days, 'tolerancePerMille', tolerance_per_mille, 'toleranceKg', tolerance_kg)
  from policy order by version desc limit 1)`;

/** A stored version. `by`: null for the first, which nobody chose. `leafIndex`: its entry in the public log. */
export type PolicyVersion = Policy & {
  changedAt: Date;
  by: string | null;
  reason: string;
  leafIndex: number | null;
};

/** All versions, newest first. */
export async function listPolicies(db: Db): Promise<PolicyVersion[]> {
  return db
    .selectFrom('policy')
    .leftJoin('actor', 'actor.id', 'policy.changedBy')
    .leftJoin('recordLeaf', (join) =>
      join.on('recordTable', '=', 'policy').on('recordKey', '=', (eb) => eb.cast<string>('policy.version', 'text')),
    )
    .select(COLUMNS.map((column) => `policy.${column}` as const))
    .select(['changedAt', 'actor.name as by', 'reason', 'leafIndex'])
    .orderBy('policy.version', 'desc')
    .execute();
}

/** The version with this number. */
export function findPolicy(db: Db, version: number): Promise<Policy | undefined> {
  return db.selectFrom('policy').select(COLUMNS).where('version', '=', version).executeTakeFirst();
}
