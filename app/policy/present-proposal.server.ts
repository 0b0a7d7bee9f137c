// An open proposal as pages show it. Who proposed it, and why, is not public.
import { formatInstant, zoneName } from '#app/platform/time/calendar.ts';
import { noticeEnds } from '#app/people/two-people.server.ts';
import type { ShownProposal } from './pending-proposal.tsx';
import { policyChanges } from './policy-fields.ts';
import type { Policy } from './policy.ts';
import type { Proposal } from './queries.server.ts';

export function presentProposal(
  { rules, proposedAt, takesEffectAt, leafIndex }: Proposal,
  inForce: Policy,
  zone: string,
): ShownProposal {
  const at = (instant: Date) => `${formatInstant(instant, zone)} ${zoneName(instant, zone)}`;
  return {
    proposed: at(proposedAt),
    changes: policyChanges(inForce, rules),
    when:
      takesEffectAt === null
        ? `It takes effect when a second administrator confirms it: one of 90 days or more, or, where there is none, another one from ${at(noticeEnds(proposedAt))} on.`
        : `While the registry has a single administrator, it takes effect by itself from ${at(takesEffectAt)} on. A second administrator of 90 days or more may confirm it before.`,
    entry: leafIndex,
  };
}
