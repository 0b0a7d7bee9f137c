// Random histories of trucks over some days, several trucks beside each other in one registry: what the page said of
// each at the end of each day is kept as it happens.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { addDays, instantOfDay } from '#app/platform/time/calendar.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { presentPage, type VehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { readVehiclePage, type VehiclePageRecords } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { join, part } from './joins.ts';
import { addSeen } from './people.ts';
import { replateTo } from './plates.ts';
import { enforce } from './policy.ts';
import { randomFrom, type Random } from './random.ts';
import { createTestServices, type TestServices } from './services.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { correctVisit, recordHonestSet, recordSingles, visitsOf } from './visits.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw, type Weighbridge } from './withdrawals.ts';

export const ZONE = 'Australia/Sydney';
const HOUR_MS = 3_600_000;
const FIRST_DAY = '2031-01-06';

/** `id`: of its record; `regos`: all that it had. */
export type PastTruck = { id: string; regos: Set<string> };
export type Ground = {
  services: TestServices;
  admins: readonly [SignedIn, SignedIn];
  tech: SignedIn;
  bridge: Weighbridge;
  /** The withdrawal that stands. */
  withdrawal: string | undefined;
  day: string;
};
/** What the page of a rego said at the end of a day. */
export type SaidThen = { day: string; rego: string; said: unknown };

export async function openGround(): Promise<Ground> {
  const services = await createTestServices({ RATE_LIMITS: 'off', TIME_ZONE: ZONE });
  await enterFirstPolicy(services.db);
  const admins = [
    await addSeen(services, 'admin', 'mia@registry.example', 'Mia'),
    await addSeen(services, 'admin', 'noor@registry.example', 'Noor'),
  ] as const;
  const tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const ground: Ground = {
    services,
    admins,
    tech,
    bridge: { id: '', line: '' },
    withdrawal: undefined,
    day: FIRST_DAY,
  };
  await setClock(ground, 8);
  return { ...ground, bridge: await addWeighbridge(services, admins[0], 'Example Creek weighbridge') };
}

/** It is so many hours into the ground's day, for the services and for the log. */
export async function setClock({ services, day }: Ground, hours: number): Promise<void> {
  const now = new Date(instantOfDay(day, ZONE).getTime() + hours * HOUR_MS);
  services.setNow(now.toISOString());
  // Entries are never earlier than the one before.
  await sql`update activity_state set leaf_at = greatest(leaf_at, ${now}::timestamptz)`.execute(services.db);
}

/** What a page says of the truck itself: not of others with its plate, nor of what is no record. */
export function comparable(page: VehiclePage): unknown {
  const { rego, kind, state, groups, judgement, policyVersion, calibratedBy, nextDue, facts, mismatches, plates } =
    page;
  const { line, ruling, waiting, lastCalibrated } = page.evidence;
  const { visits, total } = page.history;
  const own = { rego, kind, state, groups, judgement, policyVersion, calibratedBy, nextDue, facts, mismatches, plates };
  return JSON.parse(JSON.stringify({ ...own, line, ruling, waiting, lastCalibrated, visits, total }));
}

/** What the page of a rego says at the moment of the services. `size`: of the log of then; null: of now. */
export async function saidNow(services: TestServices, rego: string, size: number | null): Promise<unknown> {
  const found = await readVehiclePage(services.db, rego, size ?? 'newest');
  if (found.state !== 'live') return found.state;
  return comparable(await pageOfRecords(services, found.records));
}

const pageOfRecords = (services: TestServices, records: VehiclePageRecords) =>
  presentPage(services, records, { asked: new URLSearchParams(), origin: 'https://registry.example', who: null });

type Doing = { ground: Ground; truck: PastTruck; rego: string; random: Random };
const DO: Readonly<Record<string, (doing: Doing) => Promise<unknown>>> = {
  set: ({ ground: { services, tech }, rego }) => recordHonestSet(services, tech, rego),
  weigh: ({ ground: { services, tech, bridge }, rego }) => weighOn(services, tech, rego, bridge),
  junk: ({ ground: { services, tech }, rego }) =>
    recordHonestSet(services, tech, rego, { readings: { DRIVE: { loaded_weight: '9000' } } }),
  short: ({ ground: { services, tech, day }, rego }) =>
    recordHonestSet(services, tech, rego, { due_date: addDays(day, 2) }),
  singles: ({ ground: { services, tech }, rego, random }) =>
    recordSingles(services, tech, rego, 'STEER', random(2) === 0 ? {} : { only: ['empty_volt', 'empty_weight'] }),
  async correct({ ground: { services, tech, day }, rego, random }) {
    const visit = (await visitsOf(services, rego)).at(-1 - random(2));
    const change = random(2) === 0 ? { due_date: addDays(day, 60 + random(90)) } : { value: '4321' };
    const place = { axle: 'STEER', attribute: 'Empty Weight' } as const;
    if (visit !== undefined)
      await correctVisit(services, tech, rego, visit.id, change, 'value' in change ? place : undefined);
  },
  async decide({ ground: { services, admins }, rego, random }) {
    const visits = await visitsOf(services, rego);
    const visit = visits[random(Math.max(1, visits.length))];
    if (visit === undefined) return;
    const decision = random(2) === 0 ? 'accepted' : 'set-aside';
    const reason = decision === 'accepted' ? 'weighed-again' : 'wrong-truck';
    const input = { decision, reason, note: '', openedState: visit.state } as const;
    await decideVisit(services.db, admins[1], { visitId: visit.id, input, now: services.now(), key: undefined });
  },
  tick: ({ ground: { services, admins }, rego }) =>
    decideValidation(services.db, admins[0], { rego, validated: true, reason: 'Seen' }),
  untick: ({ ground: { services, admins }, rego }) =>
    decideValidation(services.db, admins[0], { rego, validated: false, reason: 'Not seen' }),
  async update({ ground: { services, admins }, truck, rego, random }) {
    const vehicle = await findVehicleById(services.db, truck.id);
    if (vehicle === undefined) return;
    const input = vehicleInput({
      rego,
      vin: vehicle.vin,
      scale_serial_number: `S${random(1000)}`,
      make: ['Kenworth', 'Volvo', 'Scania'][random(3)] ?? '',
      axle_groups: vehicle.axleGroups,
      ...(vehicle.calibrationValidated ? { calibration_validated: 'yes' } : {}),
      next_calibration_due: vehicle.nextCalibrationDueOn ?? '',
      version: String(vehicle.version),
    });
    await updateVehicle(services, admins[0], { rego, input, choice: NO_FILES, key: undefined });
  },
  async replate({ ground: { services, admins }, truck, rego, random }) {
    const text = `${rego.slice(0, 6)}${random(1000)}`;
    const changed = await replateTo(services, admins[0], rego, { text, state: 'NSW' });
    if (changed.changed) truck.regos.add(text);
  },
  async remove({ ground: { services, admins }, truck, rego, random }) {
    await removeVehicle(services.db, admins[0], { rego });
    if (random(3) > 0) await restoreVehicle(services.db, admins[0], { id: truck.id });
  },
};
const NAMES = Object.keys(DO);

async function act(ground: Ground, truck: PastTruck, random: Random): Promise<void> {
  const vehicle = await findVehicleById(ground.services.db, truck.id);
  if (vehicle === undefined || vehicle.joinedInto !== null) return;
  if (vehicle.deletedAt !== null) {
    await restoreVehicle(ground.services.db, ground.admins[0], { id: truck.id });
    return;
  }
  // Trucks begin with a visit, more often than not.
  const name = random(3) === 0 ? 'set' : (NAMES[random(NAMES.length)] ?? 'set');
  await DO[name]?.({ ground, truck, rego: vehicle.rego, random });
}

// What concerns all trucks: rules, the weighbridge, joins of two.
async function actForAll(ground: Ground, trucks: readonly PastTruck[], random: Random): Promise<void> {
  const { services, admins, bridge, day } = ground;
  const nth = random(6);
  if (nth === 0) await enforce(services.db, { dueSoonDays: 10 + random(80) });
  if (nth === 1 && ground.withdrawal === undefined)
    ground.withdrawal = await withdraw(services, admins, bridge, [addDays(day, -3), day]);
  else if (nth === 2 && ground.withdrawal !== undefined) {
    await lift(services, admins, ground.withdrawal);
    ground.withdrawal = undefined;
  } else if (nth === 3 && trucks.length > 1) await joinTwo(ground, trucks);
  else if (nth === 4) await part(services, admins[0]).catch(() => {});
  await applyAll(services);
}

async function joinTwo({ services, admins }: Ground, trucks: readonly PastTruck[]): Promise<void> {
  const records = await Promise.all(trucks.map(({ id }) => findVehicleById(services.db, id)));
  const [one, other] = records.filter((record) => record?.deletedAt === null);
  if (one === undefined || other === undefined) return;
  const input = { rego: other.rego, vin: one.vin, axle_groups: other.axleGroups, version: String(other.version) };
  await updateVehicle(services, admins[0], {
    rego: other.rego,
    input: vehicleInput({ ...input, ...(other.calibrationValidated ? { calibration_validated: 'yes' } : {}) }),
    choice: NO_FILES,
    key: undefined,
  });
  await join(services, admins[0], { rego: other.rego, kept: one.rego });
}

/** `trucks` histories over `days` days, and what was said at the end of each. `atEnd`: what else happens then. */
export async function runHistories(
  ground: Ground,
  { seed, trucks: count, days, atEnd }: { seed: number; trucks: number; days: number; atEnd?: () => Promise<void> },
): Promise<{ trucks: PastTruck[]; kept: SaidThen[] }> {
  const { services, admins } = ground;
  const random = randomFrom(seed);
  const trucks: PastTruck[] = [];
  const kept: SaidThen[] = [];
  await setClock(ground, 9);
  for (let nth = 0; nth < count; nth += 1) {
    const rego = `${String.fromCharCode(65 + random(26))}${seed.toString(36).toUpperCase()}${nth}`
      .padEnd(6, 'X')
      .slice(0, 6);
    await addTruck(services, admins[0], rego);
    const { id } = await services.db
      .selectFrom('vehicle')
      .select('id')
      .where('rego', '=', rego)
      .executeTakeFirstOrThrow();
    trucks.push({ id, regos: new Set([rego]) });
  }
  for (let nth = 0; nth < days; nth += 1) {
    await setClock(ground, 10);
    await closeExpired(services.db, { now: services.now(), zone: ZONE });
    for (const truck of trucks)
      for (let left = random(3); left > 0; left -= 1) {
        await act(ground, truck, random);
        services.setNow(new Date(services.now().getTime() + 60_000).toISOString());
      }
    if (random(3) === 0) await actForAll(ground, trucks, random);
    services.setNow(new Date(instantOfDay(addDays(ground.day, 1), ZONE).getTime() - 1).toISOString());
    for (const rego of trucks.flatMap(({ regos }) => [...regos]))
      kept.push({ day: ground.day, rego, said: await saidNow(services, rego, null) });
    await atEnd?.();
    ground.day = addDays(ground.day, 1);
    await setClock(ground, 1);
  }
  return { trucks, kept };
}
