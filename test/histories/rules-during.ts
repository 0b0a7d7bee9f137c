// Which rules may have been in force while a call went on. Nothing that records a visit holds the policy: of a version that
// comes into force meanwhile it reads the one before it or that one.
import { isDeepStrictEqual } from 'node:util';
import type { Call, Rules } from './operation.ts';

/** `first`: the version at the beginning of the history. `rules`: of each version. */
export function rulesDuring(
  calls: readonly Call[],
  first: number,
  rules: ReadonlyMap<number, Rules>,
): (call: Call) => Rules[] {
  const entered = [...rules.keys()]
    .filter((version) => version >= first)
    .toSorted((a, b) => a - b)
    .map((version) => {
      const by = calls.filter(
        ({ outcome }) => outcome['version'] === version && (outcome['changed'] === true || outcome['confirmed'] === true),
      );
      return {
        rules: rules.get(version),
        from: version === first ? 0 : Math.min(...by.map(({ from }) => from)),
        to: version === first ? 0 : Math.max(...by.map(({ to }) => to)),
      };
    });
  return ({ from, to }) =>
    entered
      .filter((version, nth) => version.from <= to && (entered[nth + 1]?.to ?? Infinity) >= from)
      .flatMap((version) => version.rules ?? [])
      .filter((one, nth, all) => all.findIndex((other) => isDeepStrictEqual(one, other)) === nth);
}
