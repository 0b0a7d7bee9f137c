// The nightly look over small registries: honest ones list nobody, and of each kind one that is planted is listed
// alone.
import { beforeAll, expect, test } from 'vitest';
import { honestRegistry } from '#test/registries/honest-registry.ts';
import { variant } from '#test/registries/parameters.ts';
import { plantedCount, registryOf, type Registry } from '#test/registries/plant-fraud.ts';
import { randomFrom } from '#test/registries/random.ts';
import { findForVisit, findPatterns, type Found } from './find-patterns.ts';
import { KINDS } from './kinds.ts';
import { METHOD } from './method.ts';
import { PATTERN_KINDS } from './pattern.ts';
import { sampleOf } from './sample.ts';

const tolerance = { perMille: 20, kg: 500 };
const SMALL = { technicians: 150, visits: 15_000, regions: 10 };

let registry: Registry;
let found: Found;
beforeAll(() => {
  registry = registryOf([...honestRegistry({ ...variant(0), ...SMALL }, 5)]);
  found = findPatterns(sampleOf(registry.visits), { night: '2026-10-31', tolerance });
});

test('an honest registry lists nobody, on the last night and on another', () => {
  expect(found.tests.length).toBeGreaterThan(1500);
  expect(found.listed).toEqual([]);
  const again = findPatterns(sampleOf(registry.visits), { night: '2026-10-30', tolerance });
  expect(again.listed).toEqual([]);
  expect(again.level).toBeLessThan(found.level / 20);
});

test('honest chances are even: one of ten is below 0.1, or fewer', () => {
  for (const pattern of PATTERN_KINDS) {
    const tests = found.tests.filter((one) => one.pattern === pattern);
    const below = tests.filter(({ p }) => p < 0.1).length;
    expect(below, pattern).toBeLessThanOrEqual(0.1 * tests.length + 4 * Math.sqrt(0.09 * tests.length));
  }
});

test.each(PATTERN_KINDS)(
  '%s: planted in 240 cases, by its effect or twice that, it is found in 19 of 20 or more',
  (kind) => {
    // No year shows enough where people differ so much.
    if (kind === 'never-found-out' || kind === 'other-trailer' || kind === 'bunched-at-due') return;
    // Two take turns in others-lines.test.ts.
    if (kind === 'take-turns') return;
    const usual = found.usualNumbers.usual[kind];
    if (usual === undefined) throw new Error(kind);
    const random = randomFrom(3);
    const cases = 20;
    let hits = 0;
    for (let made = 0; made < cases; made += 1) {
      const { effect } = METHOD[kind];
      // What is only a share of everybody’s is let pass where it is most of somebody’s.
      const share = effect < 0.3 ? 2 * effect : effect;
      const count = plantedCount(registry, kind, {
        n: 240,
        share,
        random,
        usualNumbers: found.usualNumbers,
        tolerance,
      });
      if (count !== undefined && KINDS[kind].chance(count, usual) <= found.strictest) hits += 1;
    }
    expect(hits).toBeGreaterThanOrEqual(19);
  },
);

test('of several frauds in one registry only they are listed, each with its visits', () => {
  const busiest = [...registry.ofTechnician]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 2)
    .map(([technician]) => technician);
  const [copier = '', sender = ''] = busiest;
  const visits = registry.visits.map((visit, at) => {
    if (at % 7 !== 0) return visit;
    const own = registry.ofTechnician.get(visit.technician) ?? [];
    const source = registry.visits[own[0] ?? 0] ?? visit;
    if (visit.technician === copier) return { ...visit, axles: source.axles };
    return visit.technician === sender ? { ...visit, photo: { sha256: 'ab'.repeat(32), dhash: null } } : visit;
  });
  const { listed } = findPatterns(sampleOf(visits), { night: '2026-10-31', tolerance });
  expect(new Set(listed.map(({ technician }) => technician))).toEqual(new Set([copier, sender]));
  const photo = listed.find(({ pattern }) => pattern === 'photo-twice');
  expect(photo?.technician).toBe(sender);
  expect(photo?.findings.length).toBe(Math.min(50, photo?.hits ?? 0));
});

test('in a registry of a few people slips are taken to be common, and shares of others are not asked', () => {
  const three = new Set([...registry.ofTechnician].slice(0, 3).map(([technician]) => technician));
  const few = registry.visits.filter(({ technician }) => three.has(technician));
  const [victim] = three;
  const copied = few.map((visit, at) =>
    visit.technician === victim && at % 4 === 0 ? { ...visit, axles: few[0]!.axles } : visit,
  );
  const look = (visits: typeof few) => findPatterns(sampleOf(visits), { night: '2026-10-31', tolerance });
  expect(look(few).listed).toEqual([]);
  expect(look(copied).listed.map(({ pattern, technician }) => [pattern, technician])).toContainEqual([
    'copied-axle-sets',
    victim,
  ]);
  expect(look(few).tests.filter(({ pattern }) => pattern === 'next-disagrees')).toEqual([]);
});

test('after a visit its own findings are told, and nothing of a visit that has none', () => {
  const { visits } = registry;
  const technician = visits[0]?.technician ?? '';
  const own = (registry.ofTechnician.get(technician) ?? []).flatMap((at) => visits[at] ?? []);
  const [first, second] = own;
  if (first === undefined || second === undefined) throw new Error('nobody has two visits');
  const copy = {
    ...second,
    id: 'copy',
    vehicle: 'another',
    axles: first.axles,
    at: (own.at(-1)?.at ?? 0) + 86_400_000,
  };
  const sample = sampleOf([...own, copy]);
  const told = findForVisit(sample, 'copy', { tolerance, usualNumbers: found.usualNumbers });
  expect(told.map(({ pattern, findings }) => [pattern, findings])).toContainEqual([
    'copied-axle-sets',
    [['copy', first.id]],
  ]);
  expect(findForVisit(sample, 'nowhere', { tolerance, usualNumbers: found.usualNumbers })).toEqual([]);
});
