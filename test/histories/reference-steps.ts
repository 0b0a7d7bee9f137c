// The steps of a program that are about its weighbridge, as one client takes them.
import { addDays } from '#app/platform/time/calendar.ts';
import type { WithdrawalDecision } from '#app/withdrawals/decide-withdrawal.server.ts';
import type { ReferenceStep } from './program.ts';
import type { ClientTools } from './run-program.ts';

/** The withdrawals that there have been, for anybody who decides. */
export type Withdrawals = { id: string; mark: string }[];
const SPANS = [
  [0, 0],
  [-30, 30],
  [-1, 1],
  [-30, -1],
] as const;

export function referenceSteps(tools: ClientTools, known: Withdrawals): (step: ReferenceStep) => Promise<void> {
  const { by, call, callByOther, newKey, stage, today } = tools;
  return async ({ what, pick, kind, late, fresh, twice }) => {
    const { at, cast } = stage;
    if (cast.reference === null || at === undefined) return;
    const moment = at + (pick % 3) - 1 + late * 3_600_000;
    if (what === 'apply withdrawals') {
      await call({ do: what, at: moment }, twice ? 2 : 1);
      return;
    }
    if (by.client.role !== 'admin') return;
    const times = twice ? 2 : 1;
    const decide = (one: Withdrawals[number], decision: WithdrawalDecision) =>
      ({ do: 'decide withdrawal', ...one, decision, at: moment, key: newKey() }) as const;
    if (what === 'withdraw') {
      const [from, to] = SPANS[pick] ?? SPANS[0];
      const mark = newKey();
      const span = { fromOn: addDays(today, from), toOn: addDays(today, to) };
      const { id } = await call(
        { do: what, reference: cast.reference.id, mark, ...span, at: moment, key: mark },
        times,
      );
      if (id === undefined) return;
      known.push({ id, mark });
      if (kind < 4) await callByOther(decide({ id, mark }, 'confirm'));
      return;
    }
    const one = fresh ? known.at(-1) : known[pick % Math.max(1, known.length)];
    if (one === undefined) return;
    if (what === 'lift') {
      await call(decide(one, 'propose-lift'), times);
      if (kind < 4) await callByOther(decide(one, 'confirm-lift'));
      return;
    }
    // What comes too early or too late is refused.
    const decisions = ['confirm', 'drop', 'confirm-lift', 'drop-lift', 'propose-lift'] as const;
    await call(decide(one, decisions[kind] ?? 'confirm'), times);
  };
}
