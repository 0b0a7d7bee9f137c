// What is asked. Each workload is a list of requests to the registry (c), and of the same to the bare program (b).
import { demoRandom } from '#database/demo/demo-random.ts';
import { historyWorkloads } from './history-workloads.ts';
import { asForm, fieldsOf, READINGS_A_VISIT, recordings, type Recording } from './recordings.ts';
import { MEASURED_SIZES, regoAt, type RegistryPlan } from './registry-plan.ts';
import {
  ABSENT,
  asBare,
  asHtml,
  asJson,
  asList,
  atEdges,
  LENGTHS,
  searches,
  someNeedles,
  type Needles,
  type Search,
} from './search-lists.ts';
import { pagesOf, type Truth } from './truth.ts';
import { threeRows, zipfRanks, type Workload } from './workload.ts';
import type { Asked } from './wrk.ts';

// Parts of the registry: reads, each kind of writes and the mix have trucks of their own. What a run writes would weigh on the
// pages that the next one reads, and its technician would find visits open.
// A window of load leaves visits open, so no truck should come to its second visit within a run.
const PARTS = {
  read: 0.2,
  alone: 0.06,
  written: 0.2,
  logged: 0.2,
  byLibraries: 0.2,
  mixed: 0.06,
  later: 0.06,
} as const;
type Part = keyof typeof PARTS;
// As many trucks as a part has at most.
const MOST = { read: 100_000, alone: 3000, written: 6000, logged: 6000, byLibraries: 6000, mixed: 6000, later: 6000 };
const READINGS: Record<Exclude<Part, 'read' | 'mixed'>, number> = {
  alone: 48_000,
  written: 96_000,
  logged: 96_000,
  byLibraries: 96_000,
  later: 10_000,
};
// What a page costs falls while V8 compiles; so many a server has made within minutes.
const SEEN = 12_000;
const RARE_NEEDLES = 4000;
const SIZED = 200;

/** All of them, in the order in which they are run. What has not been seen before comes first. */
export function workloads(truth: Truth, needles: Needles, plan: RegistryPlan): Workload[] {
  const random = demoRandom('workloads');
  const sized = MEASURED_SIZES.map((size) => ({ size, trucks: plan.trucksWith(size, SIZED) }));
  const parts = partsOf(plan, new Set(sized.flatMap(({ trucks }) => trucks)));
  const recorded = (part: keyof typeof READINGS) => recordings(parts[part], READINGS[part]);
  const after = recorded('later').map(asForm);
  const asked = (path: (rego: string) => string) => (nth: number) => ({ path: path(regoAt(parts.read[nth] ?? 0)) });
  const page = asked((rego) => `/vehicles/view/${rego}`);
  const seen = Array.from({ length: Math.min(SEEN, plan.vehicles) }, (_, nth) => nth % parts.read.length);
  const bareVehicle = asked((rego) => `/vehicle?rego=${rego}`);
  const barePage = asked((rego) => `/page?rego=${rego}`);
  const pages = {
    name: 'HTML vehicle page',
    things: parts.read.length,
    ask: page,
    bare: barePage,
    mayRepeat: true,
    warm: seen.map((nth) => ({ path: `${page(nth).path}?warm=` })),
    warmBare: seen.map(barePage),
  };
  const [unseen, unseenBy16, ...otherPages] = threeRows(pages, random);
  const vehicles = { things: parts.read.length, bare: bareVehicle, mayRepeat: true };
  return [
    ...[unseen, unseenBy16].flatMap((each) =>
      each === undefined ? [] : [each, { ...each, name: 'HTML vehicle page by the libraries alone', isOfBare: true }],
    ),
    ...historyWorkloads(sized),
    ...threeRows({ name: 'JSON vehicle', ask: asked((rego) => `/api/v1/vehicles/${rego}`), ...vehicles }, random),
    ...threeRows(
      { name: 'JSON history', ask: asked((rego) => `/api/v1/vehicles/${rego}/calibrations`), ...vehicles },
      random,
    ),
    ...otherPages.map(({ bare: _bare, ...each }) => each),
    ...searchWorkloads(truth, needles),
    ...recordWorkloads(recorded),
    {
      name: 'mix: 80 % vehicle, 15 % search, 5 % record',
      connections: 16,
      ...mix(parts.mixed, truth, needles),
    },
    ...([3, 6] as const).flatMap((length) =>
      searchRows(
        `JSON search, ${length} characters, first page, after 10,000 recordings`,
        searches(truth, needles[length], 'first'),
      ).map((each) => ({ ...each, after })),
    ),
  ];
}

// `kept`: trucks that belong to no part.
function partsOf({ vehicles }: RegistryPlan, kept: ReadonlySet<number>): Record<Part, readonly number[]> {
  let from = 0;
  const take = (part: Part): number[] => {
    const [first, share] = [from, Math.floor(vehicles * PARTS[part])];
    from += share;
    return Array.from({ length: Math.min(share, MOST[part]) }, (_, nth) => first + nth).filter(
      (index) => !kept.has(index),
    );
  };
  return {
    read: take('read'),
    alone: take('alone'),
    written: take('written'),
    logged: take('logged'),
    byLibraries: take('byLibraries'),
    mixed: take('mixed'),
    later: take('later'),
  };
}

const searchRows = (name: string, of: readonly Search[], connections = [1, 16]): Workload[] =>
  of.length === 0
    ? []
    : connections.map((count) => ({ name, connections: count, requests: of.map(asJson), bare: of.map(asBare) }));

function searchWorkloads(truth: Truth, needles: Needles): Workload[] {
  const random = demoRandom('searches');
  const rare = (length: number) => {
    const texts = someNeedles(truth, length, RARE_NEEDLES);
    const first = (nth: number): Search => ({ needle: texts[nth] ?? '', page: 1 });
    return { things: texts.length, first };
  };
  const [three, six] = [rare(3), rare(6)];
  const common = LENGTHS.flatMap((length) => needles[length]).filter(
    (needle) => pagesOf(truth, needle) > truth.regos.length / 100,
  );
  return [
    ...[
      { words: '3 characters', of: three },
      { words: '6 characters', of: six },
    ].flatMap(({ words, of: { things, first } }) =>
      threeRows(
        {
          name: `JSON search, ${words}`,
          things,
          ask: (nth) => asJson(first(nth)),
          bare: (nth) => asBare(first(nth)),
        },
        random,
      ),
    ),
    ...threeRows({ name: 'HTML search page', things: three.things, ask: (nth) => asHtml(three.first(nth)) }, random),
    ...threeRows(
      { name: 'office list', things: three.things, ask: (nth) => asList(three.first(nth)), isAdmins: true },
      random,
    ),
    ...[1, 16].map((connections) => ({
      name: 'dashboard of an admin',
      connections,
      requests: [{ path: '/dashboard' }],
      isAdmins: true,
    })),
    ...LENGTHS.flatMap((length) =>
      (['first', 'middle', 'last'] as const).flatMap((where) =>
        searchRows(
          `JSON search, ${length} character${length === 1 ? '' : 's'}, ${where} page`,
          searches(truth, needles[length], where),
        ),
      ),
    ),
    ...searchRows('JSON search, absent', searches(truth, ABSENT, 'first')),
    ...searchRows('JSON search, any, first and last 100 pages', atEdges(truth, needles, random), [1]),
    ...searchRows(
      'JSON search, middle of over 100,000 hits',
      searches(truth, common, 'middle').filter(({ page }) => page > 5000),
      [1],
    ),
  ];
}

function recordWorkloads(recorded: (part: keyof typeof READINGS) => readonly Recording[]): Workload[] {
  const written = recorded('written');
  const bare = written.map(({ rego }) => ({ path: `/record?rego=${rego}` }));
  const byLibraries = recorded('byLibraries').map(asForm);
  const ofBare = { connections: 16, bare, isOfBare: true };
  return [
    { name: 'record a calibration', connections: 1, requests: recorded('alone').map(asForm), bare, inTurn: true },
    { name: 'record a calibration', connections: 16, requests: written.map(asForm), bare, inTurn: true },
    {
      name: 'record a calibration, without HTTP and session',
      ...ofBare,
      requests: recorded('logged').map((recording) => ({ path: `/logged?${fieldsOf(recording)}` })),
      inTurn: true,
    },
    { name: 'a form that ends in the bare insert, by the libraries alone', ...ofBare, requests: byLibraries },
    {
      name: 'a form that ends in the registry’s recording, by the libraries alone',
      ...ofBare,
      requests: byLibraries.map(({ path, body }) => ({ path, body: `${body}&log=` })),
      inTurn: true,
    },
  ];
}

// Asked about as often as they are known; calibrated as often as each other: none is more than a few times a year.
function mix(trucks: readonly number[], truth: Truth, needles: Needles) {
  const random = demoRandom('mix');
  const found = searches(truth, [...needles[3], ...needles[6]], 'first');
  const regos = zipfRanks(random, trucks.length).map((rank) => regoAt(trucks[rank] ?? 0));
  const kinds = regos.map(() => random.whole(1, 100));
  const whole = Math.floor(kinds.filter((kind) => kind > 95).length / READINGS_A_VISIT);
  const written = recordings(trucks, whole * READINGS_A_VISIT).values();
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
