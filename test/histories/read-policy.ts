// What the tables have of the policy, as its model does.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { findProposal, listPolicies } from '#app/policy/queries.server.ts';
import type { Rules } from './operation.ts';
import type { PolicyState } from './policy-model.ts';

/** `versions`: their rules by their numbers. */
export type LeftOfPolicy = Omit<PolicyState, 'kept'> & { versions: ReadonlyMap<number, Rules> };

const rulesOf = ({ checks, everyVisitWaits }: Pick<Policy, 'checks' | 'everyVisitWaits'>): Rules => ({
  plausible: checks.plausible,
  everyVisitWaits,
});

export async function readPolicy(db: Db): Promise<LeftOfPolicy> {
  const versions = new Map((await listPolicies(db)).map((policy) => [policy.version, rulesOf(policy)]));
  const version = Math.max(...versions.keys());
  const rules = versions.get(version);
  if (rules === undefined) throw new Error('there is no policy');
  const open = await findProposal(db);
  const proposal =
    open === undefined ? null : { mark: open.reason, by: open.email, byName: open.by, rules: rulesOf(open.rules) };
  return { version, rules, proposal, versions };
}
