// Where a dishonest history happens: a registry with a truck, a weighbridge and its people; and what is known of them.
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { readOf } from './read.ts';
import type { Known, Proposal, Read, Recorded, Somebody } from './rules.ts';
import type { Program } from './program.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { addPerson, actingAs } from '#test/people.ts';
import { addTruck, addWeighbridge, type Weighbridge } from '#test/withdrawals.ts';
import type { TestServices } from '#test/services.ts';
import { honestReadings, recordHonestSet } from '#test/visits.ts';

export type Ground = {
  services: TestServices;
  rego: string;
  bridge: Weighbridge;
  /** The figures that are sent again and again were sent. */
  copied: boolean;
  /** Who does something, by place: the dishonest ones, and who comes by them. */
  actors: (SignedIn | undefined)[];
  people: Map<string, Somebody>;
  visits: Map<string, Recorded>;
  removedAt: Map<string, string>;
  best: Map<string, string>;
  openRules: Proposal | undefined;
  openLift: Proposal | undefined;
};

const REGO = 'CHEAT1';
const DAY_MS = 86_400_000;
export const START = '2026-11-21T01:00:00Z';

/** An overdue truck with one honest visit, ten months old, and the people of the program. */
export async function begin(services: TestServices, program: Program): Promise<Ground> {
  const { db } = services;
  services.setNow('2026-01-10T01:00:00Z');
  await enterFirstPolicy(db);
  const people = new Map<string, Somebody>();
  const add = async (role: 'admin' | 'technician', who: string, daysAgo: number) => {
    const person = await addPerson(db, role, `${who}@site.example`, { name: who });
    const addedAt = new Date(Date.parse(START) - daysAgo * DAY_MS);
    await db.updateTable(role).set({ addedAt }).where('id', '=', person.recordId).execute();
    const { personId: id } = person;
    people.set(id, { id, email: person.email, isAdmin: role === 'admin', addedAt, addedBy: null, removal: null });
    return actingAs(person);
  };
  const ada = await add('admin', 'ada', 400);
  const second = program.second === null ? undefined : await add('admin', 'bo', program.second);
  if (program.isWatched) await add('admin', 'hana', 2000);
  const tim = await add('technician', 'tim', 500);
  await addTruck(services, ada, REGO);
  const bridge = await addWeighbridge(services, ada, 'Example Creek');
  await recordHonestSet(services, tim, REGO, {
    readings: { STEER: honestReadings('STEER', 200), DRIVE: honestReadings('DRIVE', 200) },
    weighbridge: bridge.line,
    reference_id: bridge.id,
  });
  services.setNow(START);
  const actors = [ada, second, tim];
  const known = { people, visits: new Map(), removedAt: new Map(), best: new Map(), copied: false };
  const ground = { services, rego: REGO, bridge, actors, ...known, openRules: undefined, openLift: undefined };
  await learn(ground, { parts: [tim.personId], faults: [] });
  return ground;
}

/**
 * What the visits are that came since; returns the newest of them. `made`: who had a part in it, and what it must fail.
 */
export async function learn(
  { services: { db }, rego, visits }: Ground,
  made: { parts: readonly string[]; faults: readonly string[]; isOffLine?: true },
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select(['visit.id', 'visit.vehicleId', 'visit.visitedOn', 'visit.dueOn', 'visit.state', 'visit.vin'])
    .where('vehicle.rego', '=', rego)
    .orderBy('visit.openedAt')
    .execute();
  let newest: string | undefined;
  for (const { id, vehicleId, visitedOn: day, dueOn, state, vin } of rows) {
    const known = visits.get(id);
    const stood = known?.stood === true || state === 'counts' || state === 'accepted';
    if (known !== undefined) Object.assign(known, { dueOn, day, stood });
    else {
      newest = id;
      const lines = { isOwnLine: made.isOffLine !== true, isCorrectedLate: false };
      visits.set(id, {
        vehicleId,
        vin: vin ?? '',
        day,
        dueOn,
        parts: new Set(made.parts),
        faults: new Set(made.faults),
        stood,
        ...lines,
      });
    }
  }
  return newest;
}

/** What is known before a step, or between what it did and what became of it. */
export const knownOf = ({ services, people, visits, removedAt, best, openRules, openLift }: Ground): Known => ({
  now: services.now(),
  people,
  visits,
  removedAt,
  best,
  openRules,
  openLift,
});

export async function read(ground: Ground): Promise<Read> {
  const found = await readOf(ground.services, ground.rego);
  const { vehicleId, until } = found;
  if (until > (ground.best.get(vehicleId) ?? '')) ground.best.set(vehicleId, until);
  return found;
}

/** Somebody who came in the course of it, and acts from now on. */
export async function comesIn(ground: Ground, email: string, by: SignedIn): Promise<void> {
  const found = await findPersonByEmail(ground.services.db, email);
  if (found?.account === undefined) throw new Error(`${email} did not come in`);
  const { personId: id, account } = found;
  const isAdmin = account.role === 'admin';
  ground.people.set(id, { id, email, isAdmin, addedAt: ground.services.now(), addedBy: by.personId, removal: null });
  ground.actors.push({
    ...account,
    personId: id,
    sessionId: '',
    mustChangePassword: false,
    hasSecondFactor: false,
  });
}
