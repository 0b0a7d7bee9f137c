// A recipe of the table of checks, and what many recipes are made of.
import type { CheckName } from '#app/policy/policy.ts';
import type { CheckAnswer } from '#app/visits/visit-facts.ts';
import type { Cell } from './cell.ts';

export const ANSWERS = ['passed', 'failed', 'cannot be told'] as const satisfies readonly CheckAnswer[];
/** A correction leaves its visit with the answer, and brings it about wherever a correction can. */
export const WAYS = ['single entries', 'set', 'correction', 'import'] as const;
export type Way = (typeof WAYS)[number];

export type Step = (cell: Cell) => Promise<unknown>;
export type Recipe = {
  /** The truck that the visit is of; `imported`: one on which a visit was recorded here since. */
  truck: 'registered' | 'imported';
  /** What is there before the policy comes into force by which the visit is judged. */
  before: Step;
  record: Step;
  /** The sentence of the check. */
  says: string | RegExp;
  /** Whatever the rule: the answer comes with a reading that is missing. */
  always?: 'partial';
  /** Another check that fails with it, and is only noted here. */
  noted?: CheckName;
};
/** How to record so, or why it cannot be. */
type Given = Step | string | (Partial<Recipe> & { record: Step });
export type Row = Record<Way, Recipe | string>;

const nothing: Step = () => Promise.resolve();

export const row = (says: Recipe['says'], given: Record<Way, Given>, always?: 'partial'): Row => {
  const recipeOf = (way: Way): Recipe | string => {
    const one = given[way];
    if (typeof one === 'string') return one;
    const truck = way === 'import' ? 'imported' : 'registered';
    const more = typeof one === 'function' ? { record: one } : one;
    return { truck, before: nothing, says, ...(always === undefined ? {} : { always }), ...more };
  };
  return {
    'single entries': recipeOf('single entries'),
    set: recipeOf('set'),
    correction: recipeOf('correction'),
    import: recipeOf('import'),
  };
};
export const never = (why: string): Row => ({ 'single entries': why, set: why, correction: why, import: why });

// What records each way with no more to say than that.
export const plain = {
  'single entries': (cell: Cell) => cell.singles(),
  set: (cell: Cell) => cell.set(),
  correction: (cell: Cell) => cell.set().then(() => cell.correct()),
  import: (cell: Cell) => cell.imports(),
} as const satisfies Record<Way, Step>;
export const setThenCorrect =
  (change: Parameters<Cell['set']>[0], ...corrected: Parameters<Cell['correct']>): Step =>
  async (cell) => {
    await cell.set(change);
    await cell.correct(...corrected);
  };
