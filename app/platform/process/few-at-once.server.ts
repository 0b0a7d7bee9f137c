// A line for work of which only a few pieces are done at a time.
// Buys: of 50 dear answers asked for at once two are worked on, and a search beside them waits for two, not for 50.
// Deletable when no answer costs more than a search.

import { availableParallelism } from 'node:os';

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

/**
 * One turn at a time for whatever holds the thread for milliseconds: a long form or list is read, a page is rendered. A
 * search beside fifty of them waits for one in each turn of the event loop. A turn waits for nothing, least of all for
 * another.
 */
export const { inTurn: inThreadTurn } = fewAtOnce(1);

/** For work on threads of its own, which leaves the event loop a processor. */
export const { inTurn: besideThread } = fewAtOnce(Math.max(1, availableParallelism() - 1));
