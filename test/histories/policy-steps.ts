// The steps of a program that are about the policy, as one client takes them.
import type { PolicyStep } from './program.ts';
import type { ClientTools } from './run-program.ts';
import { CHECK_RULES } from '#app/policy/policy.ts';

type Form = { version: number; proposal: { id: string; mark: string } | undefined };

export function policySteps({ by, call, newKey }: ClientTools): (step: PolicyStep) => Promise<void> {
  let opened: Form | undefined;
  /** Proposals that this client has seen, open or not by now. */
  const known: { id: string; mark: string }[] = [];

  const open = async (): Promise<Form> => {
    const { outcome, id } = await call({ do: 'open rules' });
    const proposal = id === undefined ? undefined : { id, mark: String(outcome.proposal) };
    if (proposal !== undefined) known.push(proposal);
    return (opened = { version: Number(outcome.version), proposal });
  };

  return async ({ what, pick, kind, fresh, twice }) => {
    if (by.client.role !== 'admin') return;
    const times = twice ? 2 : 1;
    const form = fresh || opened === undefined ? await open() : opened;
    switch (what) {
      case 'open rules':
        return;
      case 'change rules': {
        const rules = { plausible: CHECK_RULES[pick % CHECK_RULES.length] ?? 'must', everyVisitWaits: kind === 0 };
        const mark = newKey();
        await call({ do: what, version: form.version, rules, mark, key: mark }, times);
        return;
      }
      case 'confirm rules':
      case 'withdraw rules': {
        const proposal = form.proposal ?? known.at(-1);
        if (proposal !== undefined) await call({ do: what, ...proposal, key: newKey() }, times);
      }
    }
  };
}
