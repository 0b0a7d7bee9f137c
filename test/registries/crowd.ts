// Several who cheat alike in one registry: a share of what each of them records is faked.
import type { PatternKind } from '#app/patterns/pattern.ts';
import type { SampleVisit } from '#app/patterns/sample.ts';
import { FRAUDS } from './plant-fraud.ts';
import { randomFrom } from './random.ts';

export type Cheating = { kind: PatternKind; cheats: number; share: number; seed: number };
export type Cheated = { visits: SampleVisit[]; cheats: ReadonlySet<string> };

/** `visits`: oldest first. The cheats are those who record about as many visits as most. */
export function cheatAlike(given: readonly SampleVisit[], { kind, cheats, share, seed }: Cheating): Cheated {
  const random = randomFrom(seed + 3_000_000);
  const visits = kind === 'take-turns' ? inTurns(given, cheats, seed) : given;
  const byTechnician = Map.groupBy(visits, ({ technician }) => technician);
  const people = chosen(given, cheats, seed);
  const before = new Map<string, SampleVisit>();
  const last = new Map<string, SampleVisit>();
  for (const visit of visits) {
    const earlier = last.get(visit.vehicle);
    if (earlier !== undefined) before.set(visit.id, earlier);
    last.set(visit.vehicle, visit);
  }
  const faked = new Map<string, SampleVisit>();
  for (const [at, technician] of people.entries()) {
    const own = byTechnician.get(technician) ?? [];
    const partner = byTechnician.get(people[at % 2 === 0 ? at + 1 : at - 1] ?? '') ?? [];
    const planted = FRAUDS[kind].plant({ visits: own, partner, before: ({ id }) => before.get(id) }, { share, random });
    for (const visit of planted) faked.set(visit.id, visit);
  }
  const made = visits.map((visit) => faked.get(visit.id) ?? visit);
  return { visits: made.toSorted((a, b) => a.at - b.at), cheats: new Set(people) };
}

const chosen = (visits: readonly SampleVisit[], cheats: number, seed: number): string[] =>
  randomFrom(seed + 5_000_000)
    .shuffle([...new Set(visits.map(({ technician }) => technician))])
    .slice(0, cheats);

// Most of the visits that come next on a cheat's trucks are made by the partner.
function inTurns(visits: readonly SampleVisit[], cheats: number, seed: number): SampleVisit[] {
  const people = chosen(visits, cheats, seed);
  const random = randomFrom(seed + 6_000_000);
  const partners = new Map(people.map((one, at) => [one, people[at % 2 === 0 ? at + 1 : at - 1] ?? one]));
  const last = new Map<string, string>();
  return visits.map((visit) => {
    const partner = partners.get(last.get(visit.vehicle) ?? '');
    const technician = partner !== undefined && random.is(0.7) ? partner : visit.technician;
    last.set(visit.vehicle, technician);
    return { ...visit, technician };
  });
}
