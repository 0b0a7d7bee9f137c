// What a call may have found that changes meanwhile: the rules and the withdrawals in force. Nothing that records a
// visit holds the policy: of a version that comes into force meanwhile it reads the one before it or that one.
import { isDeepStrictEqual } from 'node:util';
import type { Call, Rules } from './operation.ts';
import type { InForce } from './vehicle-state.ts';
import type { Found } from './visit-rules.ts';

type When = Pick<Call, 'from' | 'to'>;

/** Calls of one effect: a form that is sent twice has it once, by the one or the other. */
const spanOf = (calls: readonly Call[]) => ({
  from: Math.min(...calls.map(({ from }) => from)),
  to: Math.max(...calls.map(({ to }) => to)),
});

/** `first`: the version at the beginning of the history. `rules`: of each version. */
export function worldsDuring(
  calls: readonly Call[],
  first: number,
  rules: ReadonlyMap<number, Rules>,
): (call: When) => Found[] {
  const rulesAt = rulesDuring(calls, first, rules);
  const inForceAt = inForceDuring(calls);
  return (call) => {
    const inForce = inForceAt(call);
    return rulesAt(call).flatMap((one) => inForce.map((withdrawals) => ({ rules: one, inForce: withdrawals })));
  };
}

function rulesDuring(calls: readonly Call[], first: number, rules: ReadonlyMap<number, Rules>) {
  const entered = [...rules.keys()]
    .filter((version) => version >= first)
    .toSorted((a, b) => a - b)
    .map((version) => {
      const by = calls.filter(
        ({ outcome }) =>
          outcome['version'] === version && (outcome['changed'] === true || outcome['confirmed'] === true),
      );
      return { rules: rules.get(version), ...(version === first ? { from: 0, to: 0 } : spanOf(by)) };
    });
  return ({ from, to }: When): Rules[] =>
    entered
      .filter((version, nth) => version.from <= to && (entered[nth + 1]?.to ?? Infinity) >= from)
      .flatMap((version) => version.rules ?? [])
      .filter((one, nth, all) => all.findIndex((other) => isDeepStrictEqual(one, other)) === nth);
}

function inForceDuring(calls: readonly Call[]): (call: When) => InForce[][] {
  const withdrawals = calls
    .flatMap(({ operation, outcome }) =>
      operation.do === 'withdraw' && outcome['proposed'] === true ? [operation] : [],
    )
    .filter(({ mark }, nth, all) => all.findIndex((one) => one.mark === mark) === nth)
    .flatMap(({ mark, fromOn, toOn }) => {
      const begun = calls.filter((call) => hasBegun(call, mark));
      const ended = calls.filter((call) => hasEnded(call, mark));
      const [by] = begun;
      if (by === undefined || !('at' in by.operation)) return [];
      const confirmedAt = by.operation.at;
      return {
        inForce: { fromOn, toOn, confirmedAt },
        begin: spanOf(begun),
        end: ended.length > 0 ? spanOf(ended) : NEVER,
      };
    });
  return ({ from, to }) => {
    const possible = withdrawals.filter(({ begin, end }) => begin.from <= to && end.to >= from);
    const isSure = ({ begin, end }: (typeof possible)[number]) => begin.to < from && end.from > to;
    return possible.reduce<InForce[][]>(
      (sets, one) => [...(isSure(one) ? [] : sets), ...sets.map((set) => [...set, one.inForce])],
      [[]],
    );
  };
}

const NEVER = { from: Infinity, to: Infinity };

function hasBegun({ operation, outcome }: Call, mark: string): boolean {
  if (operation.do === 'withdraw') return operation.mark === mark && outcome['isInForce'] === true;
  const isDone = operation.do === 'decide withdrawal' && outcome['decided'] === true;
  return isDone && operation.mark === mark && operation.decision === 'confirm';
}

function hasEnded({ operation, outcome }: Call, mark: string): boolean {
  if (operation.do !== 'decide withdrawal' || operation.mark !== mark || outcome['decided'] !== true) return false;
  return operation.decision === 'confirm-lift';
}
