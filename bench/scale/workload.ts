// What a workload is, and how one read is asked in three ways.
import type { DemoRandom } from '#database/demo/demo-random.ts';
import type { Asked } from './wrk.ts';

export type Workload = {
  name: string;
  connections: number;
  /** To the registry; with a body, in a technician's session. */
  requests: readonly Asked[];
  /** Reads in an admin's session. */
  isAdmins?: boolean;
  /** To the bare program, where it has the like. */
  bare?: readonly Asked[];
  /** (b) is asked, in the place of the registry. */
  isOfBare?: boolean;
  /** Each window goes on where the one before stopped: nothing is asked twice, and a visit has each reading once. */
  inTurn?: boolean;
  /** Asked of the registry before anything is timed: what is warm then is the code, or the answers themselves. */
  warm?: readonly Asked[];
  /** The same of (b). */
  warmBare?: readonly Asked[];
  /** Rows of one word are measured in turn, as their ratios are what counts: the code gets faster from row to row. */
  comparedBy?: string;
  /** Sent before, once for all workloads that have the same: what it leaves behind is measured. */
  after?: readonly Asked[];
};

/** One kind of read: how its `nth` thing is asked for, the first ones the most popular. */
export type Read = {
  name: string;
  things: number;
  ask: (nth: number) => Asked;
  bare?: (nth: number) => Asked;
  isAdmins?: boolean;
  /** Beyond `things`, an address with a query that the server does not read: it is not cached. */
  mayRepeat?: boolean;
  warm?: readonly Asked[];
  warmBare?: readonly Asked[];
};

const POPULAR = 20;
const DRAWS = 100_000;
const EACH_ANOTHER = 50_000;

/**
 * Three rows a number of connections: every request another one; some all the time and others rarely; and the same few, which
 * the server has cached where it caches at all. The first has the second half of the things for itself.
 */
export function threeRows(read: Read, random: DemoRandom): Workload[] {
  const { name, things, ask, bare, isAdmins, mayRepeat = false, warm, warmBare } = read;
  const half = Math.floor(things / 2);
  const count = mayRepeat ? EACH_ANOTHER : Math.min(EACH_ANOTHER, half);
  const others = Array.from({ length: count }, (_, nth) => nth);
  const thing = (nth: number) => half + (nth % half);
  const drawn = zipfRanks(random, half);
  const few = Array.from({ length: Math.min(POPULAR, half) }, (_, nth) => nth);
  const common = isAdmins === undefined ? {} : { isAdmins };
  const another = (connections: number): Workload => {
    const own = others.filter((nth) => nth % 2 === (connections === 1 ? 0 : 1));
    return {
      name: `${name}, every request another one`,
      connections,
      requests: own.map((nth) => (nth < half ? ask(thing(nth)) : again(ask(thing(nth)), nth))),
      inTurn: true,
      ...common,
      ...(bare === undefined ? {} : { bare: own.map((nth) => bare(thing(nth))) }),
      ...(warm === undefined ? {} : { warm }),
      ...(warmBare === undefined ? {} : { warmBare }),
    };
  };
  const of = (list: readonly number[]) => ({
    requests: list.map(ask),
    ...common,
    ...(bare === undefined ? {} : { bare: list.map(bare) }),
  });
  const [mixed, same] = [of(drawn), of(few)];
  const both = (make: (connections: number) => Workload) => [1, 16].map(make);
  return [
    ...both(another),
    ...both((connections) => ({ name: `${name}, a Zipf mix`, connections, ...mixed, inTurn: true })),
    ...both((connections) => ({ name: `${name}, cached`, connections, ...same, warm: few.map(ask) })),
  ];
}

/** The same, under an address that nobody asked for before: a query that is not read is not cached either. */
export const again = ({ path }: Asked, nth: number): Asked => ({ path: `${path}?asked=${nth}` });

/** Draws of `count` ranks: the nth of them 1/n as often as the first. */
export function zipfRanks(random: DemoRandom, count: number): number[] {
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= count; rank += 1) sums.push((sum += 1 / rank));
  const whole = sums.at(-1) ?? 1;
  return Array.from({ length: DRAWS }, () => {
    const at = random.between(0, whole);
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((sums[middle] ?? whole) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
