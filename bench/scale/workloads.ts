// What is asked. Each workload is a list of requests to the registry (c), and of the same to the bare program (b).
import { demoRandom, type DemoRandom } from '#database/demo/demo-random.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { regoAt } from './national-export.ts';
import { pagesOf, type Truth } from './truth.ts';
import type { Asked } from './wrk.ts';

export type Workload = {
  name: string;
  connections: number;
  /** To the registry; with a body, in a technician's session. */
  requests: readonly Asked[];
  /** To the bare program, where it has the like. */
  bare?: readonly Asked[];
  /** (b) is asked, in the place of the registry. */
  isOfBare?: boolean;
  /** Each request at most once a window. */
  once?: boolean;
  /** Each window goes on where the one before stopped: a visit has each reading once, and the order closes it. */
  inTurn?: boolean;
  /** Asked of the registry before anything is timed: what is warm then is the code, or the answers themselves. */
  warm?: readonly Asked[];
  /** The same of (b). */
  warmBare?: readonly Asked[];
};

type Search = { needle: string; page: number };
export type Needles = Readonly<Record<string, readonly string[]>>;

const NEEDLES = 60;
const WARM = 10_000;
// Reads, each kind of writes and the mix have trucks of their own: what a run writes would weigh on the pages that the next
// one reads, and its technician would find visits open.
const FIRST = { read: 20_000, alone: 40_000, written: 43_000, logged: 49_000, byLibraries: 55_000, mixed: 61_000 };
const WRITTEN = { alone: 3000, written: 6000, logged: 6000, byLibraries: 6000 };
// So many trucks are at the scale at once: their visits open, grow and close together.
const AT_THE_SCALE = 100;
const NEVER_SEEN = 50_000;
// What a page costs falls while V8 compiles; so many a server has made within minutes.
const SEEN = 12_000;
const POPULAR = 20;
const EDGE_PAGES = 100;
const LENGTHS = [1, 2, 3, 6] as const;
// No rego and no VIN of the generated registry has an I or an O in it.
const ABSENT = ['I', 'O', 'II', 'IO', 'AI9', 'OO7', 'B1I', 'IIIIII', 'ABC1O2', 'XO04KL'];

/** Texts of each length that are in it, cut from vehicles, and some that are not. */
export function chooseNeedles(truth: Truth): Needles {
  const random = demoRandom('needles');
  const cut = (length: number): string => {
    const text = truth.regos[random.whole(0, truth.regos.length - 1)] ?? '';
    const from = random.whole(0, text.length - length);
    return text.slice(from, from + length);
  };
  const some = (length: number) => [...new Set(Array.from({ length: NEEDLES }, () => cut(length)))];
  return { ...Object.fromEntries(LENGTHS.map((length) => [String(length), some(length)])), absent: ABSENT };
}

/** The searches of a kind of page that are right to ask: `middle` is of lists long enough to have one. */
function searches(truth: Truth, needles: readonly string[], where: 'first' | 'middle' | 'last'): Search[] {
  return needles.flatMap((needle) => {
    const pages = pagesOf(truth, needle);
    if (where === 'first') return [{ needle, page: 1 }];
    return pages < 3 ? [] : [{ needle, page: where === 'last' ? pages : Math.ceil(pages / 2) }];
  });
}

// Any text, and any of its first or last hundred pages.
function atEdges(truth: Truth, needles: Needles, random: DemoRandom): Search[] {
  return Object.values(needles)
    .flat()
    .flatMap((needle) => {
      const pages = pagesOf(truth, needle);
      const near = random.whole(1, Math.min(EDGE_PAGES, pages));
      return [
        { needle, page: near },
        { needle, page: pages + 1 - near },
      ];
    });
}

const asJson = ({ needle, page }: Search): Asked => ({ path: `/api/v1/vehicles?q=${needle}&page=${page}` });
const asHtml = ({ needle, page }: Search): Asked => ({ path: `/search?q=${needle}&page=${page}` });
const asBare = ({ needle, page }: Search): Asked => ({ path: `/search?q=${needle}&page=${page}` });

/** All of them, in the order in which they are run. What has not been seen before comes first. */
export function workloads(truth: Truth, needles: Needles, vehicles: number): Workload[] {
  const random = demoRandom('workloads');
  const ranks = zipfRanks(random, vehicles);
  const regosFrom = (first: number) => ranks.map((rank) => regoAt((first + rank) % vehicles));
  const zipf = regosFrom(FIRST.read);
  const recorded = (kind: keyof typeof WRITTEN) =>
    recordings(Array.from({ length: WRITTEN[kind] }, (_, nth) => regoAt((FIRST[kind] + nth) % vehicles)));
  const last = Array.from({ length: Math.min(NEVER_SEEN, vehicles / 2) }, (_, index) => regoAt(vehicles - 1 - index));
  const page = (rego: string): Asked => ({ path: `/vehicles/view/${rego}` });
  const search = (name: string, of: readonly Search[], connections = [1, 16]): Workload[] =>
    of.length === 0
      ? []
      : connections.map((count) => ({ name, connections: count, requests: of.map(asJson), bare: of.map(asBare) }));
  const both = (name: string, path: (rego: string) => string): Workload[] =>
    [1, 16].map((connections) => ({
      name,
      connections,
      requests: zipf.map((rego) => ({ path: path(rego) })),
      bare: zipf.map((rego) => ({ path: `/vehicle?rego=${rego}` })),
      warm: [...new Set(zipf)].map((rego) => ({ path: path(rego) })),
    }));
  // A page says the minute, so each is made again once a minute: of the few that many look at.
  const popular = Array.from({ length: POPULAR }, (_, rank) => page(regoAt((FIRST.read + rank) % vehicles)));
  const present = LENGTHS.flatMap((length) => needles[length] ?? []);
  const common = present.filter((needle) => pagesOf(truth, needle) > vehicles / 100);
  const bareRecord = recorded('written').map(({ rego }) => ({ path: `/record?rego=${rego}` }));
  const byLibraries = recorded('byLibraries').map(asForm);
  return [
    ...[1, 16].flatMap((connections) => {
      const unseen = {
        connections,
        requests: last.slice(SEEN).map(page),
        bare: last.slice(SEEN).map((rego) => ({ path: `/page?rego=${rego}` })),
        once: true,
        warm: last.slice(0, SEEN).map(page),
        warmBare: last.slice(0, SEEN).map((rego) => ({ path: `/page?rego=${rego}` })),
      };
      return [
        { name: 'HTML vehicle page never seen before', ...unseen },
        { name: 'HTML vehicle page by the libraries alone', ...unseen, isOfBare: true },
      ];
    }),
    ...both('JSON vehicle', (rego) => `/api/v1/vehicles/${rego}`),
    ...both('JSON history', (rego) => `/api/v1/vehicles/${rego}/calibrations`),
    ...[1, 16].map((connections) => ({
      name: 'HTML vehicle page, cached',
      connections,
      requests: popular,
      warm: popular,
    })),
    ...LENGTHS.flatMap((length) =>
      (['first', 'middle', 'last'] as const).flatMap((where) =>
        search(
          `JSON search, ${length} character${length === 1 ? '' : 's'}, ${where} page`,
          searches(truth, needles[length] ?? [], where),
        ),
      ),
    ),
    ...search('JSON search, absent', searches(truth, ABSENT, 'first')),
    ...search('JSON search, any, first and last 100 pages', atEdges(truth, needles, random), [1]),
    ...search(
      'JSON search, middle of over 100,000 hits',
      searches(truth, common, 'middle').filter(({ page }) => page > 5000),
      [1],
    ),
    {
      name: 'HTML search page',
      connections: 16,
      requests: searches(truth, needles['3'] ?? [], 'first').map(asHtml),
    },
    ...[1, 16].map((connections) => ({
      name: 'record a calibration',
      connections,
      requests: recorded(connections === 1 ? 'alone' : 'written').map(asForm),
      bare: bareRecord,
      inTurn: true,
    })),
    {
      name: 'record a calibration, without HTTP and session',
      connections: 16,
      requests: recorded('logged').map((recording) => ({ path: `/logged?${fieldsOf(recording)}` })),
      bare: bareRecord,
      isOfBare: true,
      inTurn: true,
    },
    {
      name: 'a form that ends in the bare insert, by the libraries alone',
      connections: 16,
      requests: byLibraries,
      bare: bareRecord,
      isOfBare: true,
    },
    {
      name: 'a form that ends in the registry’s recording, by the libraries alone',
      connections: 16,
      requests: byLibraries.map(({ path, body }) => ({ path, body: `${body}&log=` })),
      bare: bareRecord,
      isOfBare: true,
      inTurn: true,
    },
    {
      name: 'mix: 80 % vehicle, 15 % search, 5 % record',
      connections: 16,
      ...mix(random, regosFrom(FIRST.mixed), truth, needles),
    },
  ];
}

// Asked about as often as they are known; calibrated as often as each other: none is more than a few times a year.
function mix(random: DemoRandom, regos: readonly string[], truth: Truth, needles: Needles) {
  const found = searches(truth, [...(needles['3'] ?? []), ...(needles['6'] ?? [])], 'first');
  const kinds = regos.map(() => random.whole(1, 100));
  const trucks = [...new Set(regos)];
  const whole = Math.floor(kinds.filter((kind) => kind > 95).length / PLACES.length);
  const written = recordings(trucks.slice(0, whole)).values();
  const requests: Asked[] = [];
  const bare: Asked[] = [];
  for (const [nth, rego] of regos.entries()) {
    const kind = kinds[nth] ?? 0;
    const recording = kind > 95 ? written.next().value : undefined;
    const search = kind > 80 && kind <= 95 ? random.pick(found) : undefined;
    if (recording !== undefined) {
      requests.push(asForm(recording));
      bare.push({ path: `/record?rego=${recording.rego}` });
    } else if (search !== undefined) {
      requests.push(asJson(search));
      bare.push(asBare(search));
    } else {
      requests.push({ path: `/api/v1/vehicles/${rego}` });
      bare.push({ path: `/vehicle?rego=${rego}` });
    }
  }
  return { requests, bare, inTurn: true };
}

const ATTRIBUTES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;
// The one that the registry knows of these trucks is the last: its fourth reading closes the visit.
const AXLES = ['STEER', 'TRAILERA', 'TRAILERB', 'DRIVE'] as const;
const PLACES = AXLES.flatMap((axle) => ATTRIBUTES.map((attribute) => ({ axle, attribute })));
type Recording = { rego: string; axle: string; attribute: (typeof ATTRIBUTES)[number]; value: string };

// The sixteen readings of a visit to each truck, a hundred trucks at a time. No two trucks have the same.
function recordings(trucks: readonly string[]): Recording[] {
  const all: Recording[] = [];
  for (let first = 0; first < trucks.length; first += AT_THE_SCALE)
    for (const { axle, attribute } of PLACES)
      for (const [nth, rego] of trucks.slice(first, first + AT_THE_SCALE).entries()) {
        const value = {
          'Empty Volt': '0.61',
          'Loaded Volt': '2.58',
          'Empty Weight': String(3000 + first + nth),
          'Loaded Weight': String(24_000 + first),
        }[attribute];
        all.push({ rego, axle, attribute, value });
      }
  return all;
}

const fieldsOf = ({ rego, axle, attribute, value }: Recording): string => {
  const due_date = addDays(new Date().toISOString().slice(0, 10), 182);
  return new URLSearchParams({ rego, axle, attribute, value, due_date, confirmed: 'yes' }).toString();
};
const asForm = (recording: Recording): Asked => ({
  path: `/vehicles/view/${recording.rego}`,
  body: `${fieldsOf(recording)}&form_key=%KEY%`,
});

// Some trucks are asked about all the time: the nth of them 1/n as often as the first.
function zipfRanks(random: DemoRandom, vehicles: number): number[] {
  const ranks = Math.min(WARM, vehicles);
  const sums: number[] = [];
  for (let rank = 1, sum = 0; rank <= ranks; rank += 1) sums.push((sum += 1 / rank));
  const whole = sums.at(-1) ?? 1;
  return Array.from({ length: 2 * ranks }, () => {
    const at = (random.whole(0, 1_000_000) / 1_000_000) * whole;
    const rank = sums.findIndex((sum) => sum >= at);
    return Math.max(0, rank);
  });
}
