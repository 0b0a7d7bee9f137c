// Decides whether the concurrent calls on one object can be explained by some order of them, one at a time, that keeps
// to real time: what ended before another began comes before it. Wing and Gong's search (1993) with Lowe's memory of
// what was tried (2017). Objects are judged one by one, as linearizability allows (Herlihy and Wing 1990, theorem 1).
import { isDeepStrictEqual } from 'node:util';
import type { Call, Entry, Operation, Outcome } from './operation.ts';

/** The next state, the answer, and what the write logs. Without an entry the call changed nothing. */
export type Step<State> = { state: State; outcome: Outcome; entries?: readonly Entry[] };

/**
 * The rules of one object: what a call does when it is alone. There is more than one answer where the call reads what
 * changes meanwhile and belongs to no object. `State` is plain data.
 */
export type Model<State, Op extends Operation> = (state: State, call: Call<Op>) => readonly Step<State>[];

export type Observed<State, Op extends Operation> = {
  begin: State;
  calls: readonly Call<Op>[];
  /** What the logs have of this object, in their order. Left out, the effects may be in any order. */
  log?: readonly Entry[];
  /** Whether a state that the model came to is the one that is there at the end. */
  isEnd: (state: State) => boolean;
  /** The search ends when so many places were tried. */
  placesMost?: number;
};

/** A call of an order, and the state that it left. */
export type Placed<State, Op extends Operation> = { call: Call<Op>; state: State };
/**
 * The farthest that any order came: the calls in it, where the model then was, and what it expected of the next ones.
 */
export type Stuck<State, Op extends Operation> = {
  order: readonly Placed<State, Op>[];
  state: State;
  expected: readonly ({ call: Call<Op> } & Step<State>)[];
  nextEntry?: Entry | undefined;
};
export type Verdict<State, Op extends Operation> =
  | { explained: true; order: readonly Placed<State, Op>[] }
  | { explained: false; stuck: Stuck<State, Op> };

/** Searches an order of `calls` in which the model gives every answer, every entry of the log, and the end. */
export function linearize<State, Op extends Operation>(
  model: Model<State, Op>,
  { begin, calls, log, isEnd, placesMost = Infinity }: Observed<State, Op>,
): Verdict<State, Op> {
  const tried = new Set<string>();
  let stuck: Stuck<State, Op> = { order: [], state: begin, expected: [] };

  type Order = Placed<State, Op>[];
  const search = (order: Order, rest: readonly Call<Op>[], state: State, written: number): Order | null => {
    const place = `${rest.map((call) => calls.indexOf(call)).join()} ${written} ${JSON.stringify(state)}`;
    if (tried.has(place) || tried.size >= placesMost) return null;
    tried.add(place);
    if (rest.length === 0 && isEnd(state) && (log === undefined || written === log.length)) return order;
    const firstEnd = Math.min(...rest.map(({ to }) => to));
    const next = rest
      .filter(({ from }) => from < firstEnd)
      .flatMap((call) => model(state, call).map((step) => ({ call, ...step })));
    if (order.length >= stuck.order.length)
      stuck = { order, state, expected: next, ...(log === undefined ? {} : { nextEntry: log[written] }) };
    const fits = next.filter(
      ({ call, outcome, entries = [] }) =>
        agrees(call.outcome, outcome) &&
        (log === undefined || entries.every((entry, nth) => isDeepStrictEqual(entry, log[written + nth]))),
    );
    // What only looks, or was refused, and can come now may as well: it is in nobody's way, here or later. Not so what
    // changed nothing as it was so already: later it might have had an effect.
    const still = fits.find(({ call: { outcome } }) => 'reason' in outcome || 'state' in outcome || 'live' in outcome);
    for (const { call, state: after, entries = [] } of still === undefined ? fits : [still]) {
      const without = rest.filter((other) => other !== call);
      const found = search([...order, { call, state: after }], without, after, written + entries.length);
      if (found !== null) return found;
    }
    return null;
  };
  const order = search([], calls, begin, 0);
  return order === null ? { explained: false, stuck } : { explained: true, order };
}

/** Whether all that was observed of an answer is as the model expects; a page may show less than the model knows. */
export function agrees(observed: Outcome, expected: Outcome): boolean {
  return Object.entries(observed).every(([name, value]) => expected[name] === value);
}
