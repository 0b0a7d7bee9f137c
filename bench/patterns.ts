// npm run bench:patterns [-- scale | visit | planted [KIND] | honest [FROM TO]]: what the looks for patterns find and what they cost.
// - In 20 honest registries (1,000 technicians, 100,000 visits a year, each with parameters and a seed of its own) a month of
//   looks lists at most one technician.
// - Of planted cases of each kind as many are found as the method states for that n after correction, within three points: of
//   200 at the n that it calls enough (where at least 95 % must be found), of 2,000 at an n where it states about 60 %.
// - A look at 4,000,000 readings takes less than 60 s and 600 MB, one after a visit less than 30 ms of processor.
// Ends with 1 when one of these does not hold. Intervals are 95 % (Wilson).
import { spawnSync } from 'node:child_process';
import { findAtLevel, findForVisit, findPatterns, neededOf, type Found } from '#app/patterns/find-patterns.ts';
import { KINDS, spreadIn } from '#app/patterns/kinds.ts';
import { nightLevel } from '#app/patterns/correction.ts';
import { METHOD } from '#app/patterns/method.ts';
import { PATTERN_KINDS, type PatternKind } from '#app/patterns/pattern.ts';
import { sampleOf, type Sample, type SampleVisit } from '#app/patterns/sample.ts';
import { noShares } from '#app/patterns/statistics.ts';
import { honestRegistry } from '#test/registries/honest-registry.ts';
import { HONEST, variant } from '#test/registries/parameters.ts';
import { plantedCount, registryOf, type Registry } from '#test/registries/plant-fraud.ts';
import { randomFrom } from '#test/registries/random.ts';
import { SERVER_FLAGS } from '../scripts/server-flags.mjs';

const tolerance = { perMille: 20, kg: 500 };
const REGISTRIES = 20;
const MOST_LISTED = 1;
const WITHIN = 0.03;
const LEAST_FOUND = 0.95;
const LOOK_MAX_S = 60;
const LOOK_MAX_MB = 600;
const VISIT_MAX_MS = 30;
const DAY_MS = 86_400_000;
/** Nights of the month that are looked at, and for how many nights' level each of them stands. */
const NIGHTS = [6, 12, 18, 24, 29].map((night) => ({ night, stands: night === 29 ? 5 : 6 }));
const LAST_NIGHT = 30;
const MONTH = '2026-11';

const [part, from, to] = process.argv.slice(2);
let failed = false;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
function must(holds: boolean, text: string): void {
  if (!holds) failed = true;
  say(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
}

function atScale(): void {
  const child = spawnSync(process.execPath, [...SERVER_FLAGS, import.meta.filename, '--whole'], { encoding: 'utf8' });
  const { readings = 0, seconds = Infinity, processor = Infinity, megabytes = Infinity } = parsed(child.stdout);
  must(
    seconds < LOOK_MAX_S && megabytes < LOOK_MAX_MB,
    `${readings} readings: ${seconds.toFixed(1)} s (${processor.toFixed(1)} s of processor), at most ${megabytes.toFixed(0)} MB with the sample`,
  );
}

function parsed(text: string): Partial<Record<string, number>> {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text) as object).map(([name, value]) => [name, Number(value)]));
  } catch {
    return {};
  }
}

// In parts, so that the trucks of what is invented are not in memory beside the look.
function* largeSample(): Generator<SampleVisit> {
  const parts = 20;
  for (let part = 0; part < parts; part += 1) {
    const parameters = {
      ...variant(0),
      technicians: 2500 / parts,
      regions: 5,
      visits: 250_000 / parts,
      groups: [[1, 4]] as const,
    };
    for (const visit of honestRegistry(parameters, part))
      yield {
        ...visit,
        id: `${part} ${visit.id}`,
        technician: `${part} ${visit.technician}`,
        vehicle: `${part} ${visit.vehicle}`,
        place: visit.place === null ? null : { ...visit.place, id: `${part} ${visit.place.id}` },
      };
  }
}

function whole(): void {
  const sample = sampleOf(largeSample());
  const [begun, used] = [performance.now(), process.cpuUsage()];
  findPatterns(sample, { night: '2026-10-31', tolerance });
  const { user, system } = process.cpuUsage(used);
  say(
    JSON.stringify({
      readings: 4 * sample.visits.reduce((sum, { axles }) => sum + axles.length, 0),
      seconds: (performance.now() - begun) / 1000,
      processor: (user + system) / 1e6,
      megabytes: process.resourceUsage().maxRSS / 1024,
    }),
  );
}

function afterVisit(): void {
  const visits = [...honestRegistry({ ...variant(0), technicians: 2, regions: 1, visits: 2000, activitySd: 0 }, 1)];
  const sample = sampleOf(visits);
  const { ground } = findPatterns(sample, { night: '2026-10-31', tolerance });
  ground.sums = Object.fromEntries(
    PATTERN_KINDS.map((kind) => [kind, { people: 1000, n: 1e5, hits: 30, nn: 2e7, between: 60 }]),
  );
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) lookAfter(visits, ground);
  const used = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) lookAfter(visits, ground);
  const { user, system } = process.cpuUsage(used);
  const each = (user + system) / 1000 / rounds;
  must(
    each < VISIT_MAX_MS,
    `after a visit, of ${visits.length} visits of two technicians: ${each.toFixed(1)} ms of processor`,
  );
}

const lookAfter = (visits: readonly SampleVisit[], ground: Found['ground']): void =>
  void findForVisit(sampleOf(visits), `v${visits.length}`, { tolerance, ground });

function planted(): void {
  const registry = registryOf([...honestRegistry(variant(0), 1)]);
  const found = findPatterns(sampleOf(registry.visits), { night: '2026-10-31', tolerance });
  say(`planted: ${found.tests.length} tests, alone at p of at most ${found.strictest.toExponential(2)}`);
  for (const kind of PATTERN_KINDS) {
    if (from !== undefined && from !== kind) continue;
    const spread = spreadIn(found.ground, kind);
    const enough = neededOf(kind, found.strictest, spread);
    const power = (n: number): number => KINDS[kind].power(n, METHOD[kind].effect, found.strictest, spread);
    if (enough === undefined) {
      must(false, `${kind}: no n is enough`);
      continue;
    }
    const middle = Array.from({ length: 40 }, (_, at) => Math.ceil((enough * (at + 1)) / 41)).toSorted(
      (a, b) => Math.abs(power(a) - 0.6) - Math.abs(power(b) - 0.6),
    )[0]!;
    check(kind, { n: enough, cases: 200, least: LEAST_FOUND, stated: power(enough) }, { registry, found });
    if (Math.abs(power(middle) - 0.6) > 0.3) say(`     ${kind}: below that n nothing is found, whatever is faked`);
    else check(kind, { n: middle, cases: 2000, least: 0, stated: power(middle) }, { registry, found });
  }
}

type Statement = { n: number; cases: number; least: number; stated: number };

function check(
  kind: PatternKind,
  { n, cases, least, stated }: Statement,
  ground: { registry: Registry; found: Found },
): void {
  const { registry, found } = ground;
  const random = randomFrom(7 + n);
  const usual = { sums: found.ground.sums[kind] ?? noShares, from: new Set<string>() };
  let hits = 0;
  for (let made = 0; made < cases; made += 1) {
    const plan = { n, share: METHOD[kind].effect, random, ground: found.ground, tolerance };
    const count = plantedCount(registry, kind, plan);
    if (count === undefined) return must(false, `${kind}: n ${n} cannot be planted`);
    if ((KINDS[kind].chance(count, usual) ?? 1) <= found.strictest) hits += 1;
  }
  const share = hits / cases;
  const [low, high] = wilson(hits, cases);
  must(
    Math.abs(share - stated) <= WITHIN && share >= least,
    `${kind}: n ${n}, ${METHOD[kind].effect} faked: stated ${percent(stated)}, found ${percent(share)} of ${cases} (${percent(low)} to ${percent(high)})`,
  );
}

function honest(): void {
  const perRegistry: number[] = [];
  for (let number = Number(from ?? 0); number < Number(to ?? REGISTRIES); number += 1) {
    const parameters = {
      ...variant(number),
      days: HONEST.days + LAST_NIGHT,
      visits: Math.round((HONEST.visits * 395) / 365),
    };
    const visits = [...honestRegistry(parameters, 1000 + number)];
    const start = Date.parse(`${parameters.firstDay}T00:00:00Z`);
    const listed = new Set<string>();
    const look = (night: number, level: number): void => {
      const window = within(visits, start + night * DAY_MS);
      for (const { technician, pattern } of findAtLevel(window, { level, tolerance }).listed)
        listed.add(`${technician} (${pattern})`);
    };
    for (const { night, stands } of NIGHTS) look(night, stands * nightLevel(`${MONTH}-01`));
    look(LAST_NIGHT, nightLevel(`${MONTH}-30`));
    perRegistry.push(new Set([...listed].map((one) => one.split(' ')[0])).size);
    must(
      perRegistry.at(-1)! <= MOST_LISTED,
      `honest registry ${number}: listed in a month: ${[...listed].join(', ') || 'nobody'}`,
    );
  }
  const some = perRegistry.filter((number) => number > 0).length;
  const [low, high] = wilson(some, perRegistry.length);
  say(
    `honest registries that list somebody: ${some} of ${perRegistry.length} (${percent(low)} to ${percent(high)}); the method allows 5 %`,
  );
}

/** The sample of twelve months of visits. */
const within = (visits: readonly SampleVisit[], from: number): Sample =>
  sampleOf(visits.filter(({ at }) => at >= from && at < from + HONEST.days * DAY_MS));

function wilson(hits: number, n: number): [number, number] {
  const z = 1.96;
  const p = hits / n;
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return [centre - half, centre + half];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const PARTS: Readonly<Record<string, () => void>> = { scale: atScale, visit: afterVisit, planted, honest };
if (part === '--whole') whole();
else {
  const begun = performance.now();
  for (const [name, measure] of Object.entries(PARTS)) if (part === undefined || part === name) measure();
  say(
    `all in ${((performance.now() - begun) / 60_000).toFixed(1)} minutes, ${(process.cpuUsage().user / 60e6).toFixed(1)} of processor`,
  );
  process.exit(failed ? 1 : 0);
}
