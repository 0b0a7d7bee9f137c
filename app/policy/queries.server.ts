// Queries on the policy's versions.
import { sql, type RawBuilder } from 'kysely';
import { addedDaysAt } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { asOf } from '#app/transparency-log/records-at.server.ts';
import type { LoggedPolicy } from '#app/transparency-log/policy-body.ts';
import { FIRST_EVIDENCE_RULES, FIRST_POLICY, type EvidenceRules, type Policy, type PolicyRules } from './policy.ts';

const FIRST_RULES = sql`${sql.lit(JSON.stringify(FIRST_EVIDENCE_RULES))}::jsonb`;
// A row of `policy` as one JSON object. The database fills in the rules of evidence and the checks that a version is
// older than, as one statement reads a vehicle's whole page.
const RULES = sql<PolicyRules>`jsonb_build_object('intervalDays', interval_days, 'dueSoonDays', due_soon_days,
    'tolerancePerMille', tolerance_per_mille, 'toleranceKg', tolerance_kg)
  || ${FIRST_RULES} || coalesce(evidence, '{}')
  || jsonb_build_object('checks', ${FIRST_RULES} -> 'checks' || coalesce(evidence -> 'checks', '{}'))`;
const POLICY = sql<Policy>`jsonb_build_object('version', version) || ${RULES}`;

/** SQL: the policy in force as a JSON object; null until the first start inserts version 1. */
export const POLICY_IN_FORCE = sql<Policy | null>`(select ${POLICY} from policy order by version desc limit 1)`;

/**
 * The policy in force. Not cached between requests, so that no verdict uses outdated rules. `locking`: as SQL, a lock
 * to take with it.
 */
export async function currentPolicy(db: Db | Tx, locking: RawBuilder<unknown> = sql`null`): Promise<Policy> {
  const { rows } = await sql<{ policy: Policy | null }>`select ${POLICY_IN_FORCE} as policy, ${locking}`.execute(db);
  // The table is empty until the first start inserts version 1.
  return rows[0]?.policy ?? FIRST_POLICY;
}

/**
 * The policy in force and the activity log's size, read at the same moment in one round trip. Call it BEFORE reading a
 * page's data: the page's live updates begin at that size, so none is missed. `past`: the policy of then.
 */
export async function policyAndLogSize(db: Db, past?: { size: number }): Promise<{ policy: Policy; since: number }> {
  const now = sql<{ since: number; policy: Policy | null }>`
    select size as since, ${POLICY_IN_FORCE} as policy from activity_state`;
  const { rows } = await (past === undefined ? now : asOf(now, { ...past, names: [] })).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no activity log');
  return { since: row.since, policy: row.policy ?? FIRST_POLICY };
}

/**
 * A stored version. `by`: null for the first, which nobody chose. `addedDays`: of a proposal that was confirmed, for
 * how many days that admin had been one, where less than 90; else null. `leafIndex`: its entry in the public log.
 */
export type PolicyVersion = Awaited<ReturnType<typeof listPolicies>>[number];

/** All versions, newest first. */
export async function listPolicies(db: Db) {
  const rows = await db
    .selectFrom('policy')
    .leftJoin('actor', 'actor.id', 'policy.changedBy')
    .leftJoin('recordLeaf', (join) =>
      join.on('recordTable', '=', 'policy').on('recordKey', '=', (eb) => eb.cast<string>('policy.version', 'text')),
    )
    .select([POLICY.as('policy'), 'changedAt', 'actor.name as by', 'reason', 'leafIndex'])
    .select(
      sql<number | null>`(select ${sql.raw(addedDaysAt('actor.person_id', 'p.ended_at'))} from policy_proposal p
        where p.outcome = 'confirmed' and p.base_version = policy.version - 1)`.as('addedDays'),
    )
    .orderBy('policy.version', 'desc')
    .execute();
  return rows.map(({ policy, ...row }) => ({ ...policy, ...row }));
}

/** The version with this number. */
export async function findPolicy(db: Db | Tx, version: number): Promise<Policy | undefined> {
  const row = await db
    .selectFrom('policy')
    .select(POLICY.as('policy'))
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.policy;
}

/** The versions as they are stored, oldest first: those from before the rules of evidence have none. */
export async function storedPolicies(db: Db): Promise<LoggedPolicy[]> {
  const rows = await db
    .selectFrom('policy')
    .select(['version', 'intervalDays', 'dueSoonDays', 'tolerancePerMille', 'toleranceKg', 'evidence'])
    .orderBy('version')
    .execute();
  return rows.map(({ evidence, ...policy }) => ({ ...policy, ...evidence }));
}

/** An open proposal about the version in force: what it would make of the rules, and who proposed it. */
export type Proposal = NonNullable<Awaited<ReturnType<typeof findProposal>>>;

/**
 * The open proposal; undefined when there is none, or another version has come into force since. `takesEffectAt`: when
 * by itself; null: another admin was there, and must confirm it. `leafIndex`: its entry in the public log.
 */
export async function findProposal(db: Db | Tx) {
  const { version } = await currentPolicy(db);
  return db
    .selectFrom('policyProposal')
    .innerJoin('actor', 'actor.id', 'policyProposal.proposedBy')
    .leftJoin('recordLeaf', (join) =>
      join
        .on('recordTable', '=', 'policy_proposal')
        .on('recordKey', '=', (eb) => eb.cast<string>('policyProposal.id', 'text')),
    )
    .select(['policyProposal.id', 'baseVersion', RULES.as('rules'), 'reason', 'proposedBy', 'actor.name as by'])
    .select(['personId', 'email', 'proposedAt', 'takesEffectAt', 'leafIndex'])
    .where('outcome', 'is', null)
    .where('baseVersion', '=', version)
    .executeTakeFirst();
}

/** The columns of a version or a proposal, but its number. */
export const columnsOf = (rules: PolicyRules) => {
  const { intervalDays, dueSoonDays, tolerancePerMille, toleranceKg } = rules;
  const { longestIntervalDays, promptDays, everyVisitWaits, checkVisitsPerMille, assumedIntervalKg, checks } = rules;
  const drawn = { checkVisitsPerMille, assumedIntervalKg };
  const evidence: EvidenceRules = { longestIntervalDays, promptDays, everyVisitWaits, ...drawn, checks };
  return { intervalDays, dueSoonDays, tolerancePerMille, toleranceKg, evidence };
};

/** By which the verdicts of a page are judged, as of the same moment. */
export type ShownPolicy = Pick<Policy, 'version' | 'dueSoonDays'>;
/** SQL that joins the policy in force as `p`: `version` and `due_soon_days`. */
export const BY_POLICY = sql`left join (
  select version, due_soon_days from policy order by version desc limit 1) p on true`;

/** The table is empty until the first start inserts version 1. */
export const shownPolicy = (row: { policyVersion: number | null; dueSoonDays: number | null }): ShownPolicy => ({
  version: row.policyVersion ?? FIRST_POLICY.version,
  dueSoonDays: row.dueSoonDays ?? FIRST_POLICY.dueSoonDays,
});
