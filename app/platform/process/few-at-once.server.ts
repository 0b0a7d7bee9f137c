// A line for work of which only a few pieces are done at a time.
// Buys: 50 of the dearest answers at once leave a search beside them (bench/RESULTS.md, "Dear answers"). Deletable when no
// answer costs more than a search.

export type FewAtOnce = {
  /** Does `work` when it is its turn. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  waiting: () => number;
};

export function fewAtOnce(most: number): FewAtOnce {
  const waiting: (() => void)[] = [];
  let working = 0;
  return {
    waiting: () => waiting.length,
    async inTurn(work) {
      if (working < most) working += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // What came meanwhile goes first.
        if (next === undefined) working -= 1;
        else setImmediate(next);
      }
    },
  };
}
