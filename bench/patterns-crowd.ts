// npm run bench -- visits crowd honest|alike|odd [KIND ...]: patterns in a crowd, over invented registries
// (test/registries). honest: how many honest people a month lists where most have some habit. alike: how many of those
// who cheat alike are found. odd: how many colleagues one lists who writes odd weights. WORLDS=, SEED=, PEOPLE=, YEAR=
// (visits of each), CHEATS= (shares of the people, or numbers above 1, by commas), SHARE= (of a cheat's visits).
import { listedUpTo } from '#app/patterns/correction.ts';
import { findAtLevel } from '#app/patterns/find-patterns.ts';
import { KINDS, startCounting, usualIn } from '#app/patterns/kinds.ts';
import { METHOD } from '#app/patterns/method.ts';
import { PATTERN_KINDS, type PatternKind } from '#app/patterns/pattern.ts';
import { sampleOf, type SampleVisit } from '#app/patterns/sample.ts';
import { wilsonInterval } from '#app/patterns/statistics.ts';
import { cheatAlike } from '#test/registries/crowd.ts';
import { crowdOf } from '#test/registries/habits.ts';
import { variant } from '#test/registries/parameters.ts';
import { randomFrom } from '#test/registries/random.ts';

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const [WORLDS, SEED, PEOPLE, YEAR] = [
  setting('WORLDS', 3),
  setting('SEED', 1),
  setting('PEOPLE', 1000),
  setting('YEAR', 120),
];
/** A month's level as it is spent on its last night: half of it. The other nights have no more together. */
const LAST_NIGHT = 0.025;
const tolerance = { perMille: 20, kg: 500 };
/** Tests of one person, about: patterns with enough data. */
const TESTS_EACH = PATTERN_KINDS.length;

const [what = 'honest', ...kinds] = process.argv.slice(3);
const asked = PATTERN_KINDS.filter((kind) => kinds.length === 0 || kinds.includes(kind));
const say = (words: string) => process.stdout.write(`${words}\n`);
const seeds = Array.from({ length: WORLDS }, (_, world) => SEED + world);
const few = { technicians: PEOPLE, visits: PEOPLE * YEAR, regions: Math.max(4, Math.round(PEOPLE / 20)) };
if (what === 'honest') honest();
else if (what === 'odd') odd();
else alike();

function honest(): void {
  const listedBy = new Map<string, number>();
  let [people, listed, ordinary, ordinaryListed] = [0, 0, 0, 0];
  for (const seed of seeds) {
    const { visits, habitOf } = crowdOf({ ...variant(seed), technicians: PEOPLE, visits: PEOPLE * 100 }, seed);
    const found = findAtLevel(sampleOf(visits), { level: LAST_NIGHT, tolerance });
    const who = new Set(found.listed.map(({ technician }) => technician));
    people += habitOf.size;
    listed += who.size;
    ordinary += [...habitOf.values()].filter((habit) => habit === 'none').length;
    ordinaryListed += [...who].filter((one) => habitOf.get(one) === 'none').length;
    for (const { pattern, technician, n, hits, p } of found.listed) {
      say(`  ${technician} ${habitOf.get(technician)}: ${pattern} ${hits} of ${n}, p ${p.toExponential(1)}`);
      const row = `${pattern} · ${habitOf.get(technician)}`;
      listedBy.set(row, (listedBy.get(row) ?? 0) + 1);
    }
    say(`seed ${seed}: ${who.size} of ${habitOf.size} listed`);
  }
  say(`all: ${listed} of ${people}; without a habit: ${ordinaryListed} of ${ordinary}`);
  for (const [row, count] of [...listedBy].toSorted(([, a], [, b]) => b - a)) say(`  ${count} ${row}`);
}

function alike(): void {
  const numbers = (process.env['CHEATS'] ?? '0.01,0.05,0.1').split(',').map(Number);
  const cells = new Map<string, { found: number; of: number; others: number }>();
  for (const seed of seeds) {
    const { visits } = crowdOf({ ...variant(0), ...few, activitySd: 0 }, seed, 0);
    for (const kind of asked)
      for (const number of numbers) {
        const cheats = Math.max(1, number < 1 ? Math.round(number * PEOPLE) : number);
        const crowd = cheatAlike(visits, { kind, cheats, share: setting('SHARE', METHOD[kind].effect), seed });
        const who = listedFor(kind, crowd.visits);
        const name = `${kind} ${cheats}`;
        const cell = cells.get(name) ?? { found: 0, of: 0, others: 0 };
        const caught = [...who].filter((one) => crowd.cheats.has(one)).length;
        cells.set(name, {
          found: cell.found + caught,
          of: cell.of + crowd.cheats.size,
          others: cell.others + who.size - caught,
        });
      }
  }
  for (const [name, { found, of, others }] of cells) {
    const { low, high } = wilsonInterval({ n: of, hits: found });
    const range = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    say(`${name} of ${PEOPLE}, ${YEAR} visits: ${found} of ${of} found (${range}); ${others} others listed`);
  }
}

// By this pattern alone, among as many tests as all patterns make.
function listedFor(kind: PatternKind, visits: readonly SampleVisit[]): Set<string> {
  const sample = sampleOf(visits);
  const { count, chance } = KINDS[kind];
  const counts = count(sample, startCounting(sample, tolerance)).filter(({ n }) => n > 0);
  const usual = usualIn(kind, counts);
  if (usual === undefined) throw new Error('too few people');
  const tests = counts.map((one) => ({ technician: one.technician, p: chance(one, usual) }));
  const all = [
    ...tests.map(({ p }) => p),
    ...Array.from({ length: Math.max(0, TESTS_EACH * PEOPLE - tests.length) }, () => 1),
  ];
  const most = listedUpTo(all, LAST_NIGHT);
  return new Set(tests.filter(({ p }) => p <= most).map(({ technician }) => technician));
}

// One who writes weights that no weighbridge shows, on the busiest weighbridges of steps of 50 kg.
function odd(): void {
  let [colleagues, listed, self] = [0, 0, 0];
  for (const seed of seeds) {
    const few = { technicians: 240, visits: 240 * YEAR, regions: 1, bridgesPerRegion: 1, activitySd: 0.3 };
    const { visits } = crowdOf({ ...variant(0), ...few, bridgeSteps: [[1, 50]] }, seed, 0);
    const random = randomFrom(seed);
    const [writer] = [...Map.groupBy(visits, ({ technician }) => technician)].toSorted(
      ([, a], [, b]) => b.length - a.length,
    )[0] ?? [''];
    const written = visits.map((visit, at) =>
      visit.technician === writer || at % 12 === 0
        ? {
            ...visit,
            technician: writer,
            axles: visit.axles.map((axle) => ({
              ...axle,
              loadedWeight: axle.loadedWeight + random.below(50),
              emptyWeight: axle.emptyWeight + random.below(50),
            })),
          }
        : visit,
    );
    const found = findAtLevel(sampleOf(written), { level: LAST_NIGHT, tolerance });
    const who = new Set(found.listed.map(({ technician }) => technician));
    self += Number(who.delete(writer));
    listed += who.size;
    colleagues += new Set(visits.map(({ technician }) => technician)).size - 1;
  }
  say(`odd weights: ${listed} of ${colleagues} colleagues listed, the writer ${self} of ${WORLDS} times`);
}
