// The registry's policy as leaves. All that they say is in clear: anyone can prove which rules held when, and which
// were proposed.
import type { LeafEvent } from './draft-leaf.server.ts';
import { policyBody, type LoggedPolicy } from './policy-body.ts';

/** The policy was changed. `proposal`: the id of the proposal that took effect. */
export function policyEvent(policy: LoggedPolicy, proposal?: string): LeafEvent {
  return {
    type: 'policy.changed',
    body: policyBody(policy),
    records: [
      { table: 'policy', key: String(policy.version) },
      ...(proposal === undefined ? [] : [proposalRef(proposal)]),
    ],
  };
}

/** A change that loosens the rules of `version` was proposed, or withdrawn. The values are the proposed ones. */
export function proposalEvent(
  type: 'policy.proposed' | 'policy.withdrawn',
  id: string,
  values: LoggedPolicy,
): LeafEvent {
  return { type, body: policyBody(values), records: [proposalRef(id)] };
}

const proposalRef = (key: string) => ({ table: 'policy_proposal', key }) as const;
