// Random histories of trucks by the registry's own writes, many trucks at a time.
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { exportedReadings } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { applyAll, lift, weighOn, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { randomReadings, type Random } from '#test/random.ts';
import type { TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, recordHonestSet, recordSingles, visitsOf, type SetChange } from '#test/visits.ts';

export type People = { tech: SignedIn; admins: readonly [SignedIn, SignedIn] };
type Ground = { services: TestServices; people: People; bridge: Weighbridge; random: Random };
type Act = (ground: Ground, rego: string, vehicle: Vehicle) => Promise<unknown>;

const inputOf = (vehicle: Vehicle, more: Record<string, string>) => ({
  ...vehicleInput({
    rego: vehicle.rego,
    vin: vehicle.vin,
    axle_groups: vehicle.axleGroups,
    ...(vehicle.calibrationValidated ? { calibration_validated: 'yes' } : {}),
    ...(vehicle.nextCalibrationDueOn === null ? {} : { next_calibration_due: vehicle.nextCalibrationDueOn }),
    version: String(vehicle.version),
    ...more,
  }),
});
const inDays = ({ services }: Ground, days: number) => addDays(todayIn(services.config.timeZone, services.now()), days);
const daysAgo = ({ services }: Ground, days: number) => new Date(services.now().getTime() - days * 86_400_000);

const decide: Act = async ({ services, people: { admins }, random }, rego) => {
  const visits = await visitsOf(services, rego);
  const visit = visits[random(visits.length)];
  if (visit === undefined) return;
  const decision = random(2) === 0 ? ('accepted' as const) : ('set-aside' as const);
  const input = {
    decision,
    reason: decision === 'accepted' ? ('weighed-again' as const) : ('asked-for' as const),
    note: '',
    openedState: visit.state,
  };
  await decideVisit(services.db, admins[1], { visitId: visit.id, input, now: services.now(), key: undefined });
};

const correct: Act = async (ground, rego) => {
  const { services, people, random } = ground;
  const visits = await visitsOf(services, rego);
  const visit = visits[random(visits.length)];
  if (visit === undefined || visit.state === 'taken-over') return;
  const change = random(2) === 0 ? { due_date: inDays(ground, 1 + random(80)) } : { value: '4100' };
  const place = { axle: 'STEER', attribute: 'Empty Weight' } as const;
  await correctVisit(services, people.tech, rego, visit.id, change, random(2) === 0 ? place : undefined);
};

// Its groups; of a truck without a list the first.
const axlesOf = ({ axleGroups }: Vehicle) => (axleGroups === '' ? { axles: ['STEER'] as const } : {});
function setOf({ random }: Ground, vehicle: Vehicle, { readings, ...change }: SetChange): SetChange {
  const [steer, drive] = [randomReadings(random, 'STEER'), randomReadings(random, 'DRIVE')];
  return { ...axlesOf(vehicle), ...change, readings: { STEER: { ...steer, ...readings?.STEER }, DRIVE: drive } };
}
const record =
  (changeOf: (ground: Ground) => SetChange): Act =>
  (ground, rego, vehicle) =>
    recordHonestSet(ground.services, ground.people.tech, rego, setOf(ground, vehicle, changeOf(ground)));

const ACTS: readonly Act[] = [
  record(() => ({})),
  (ground, rego, vehicle) =>
    weighOn(ground.services, ground.people.tech, rego, ground.bridge, setOf(ground, vehicle, {})),
  // Only one group, too late, another line than before: a visit that does not count.
  record(() => ({ axles: ['STEER'] })),
  record((ground) => ({ visitedAt: daysAgo(ground, 12 + ground.random(9)) })),
  record(() => ({ readings: { STEER: { loaded_weight: '9900' } } })),
  record((ground) => ({ due_date: inDays(ground, 1 + ground.random(40)) })),
  ({ services, people, random }, rego) => {
    const readings = randomReadings(random, 'STEER');
    return recordSingles(services, people.tech, rego, 'STEER', { only: ['empty_volt'], readings });
  },
  decide,
  correct,
  async ({ services, people: { admins } }, rego, { calibrationValidated }) =>
    decideValidation(services.db, admins[0], { rego, validated: !calibrationValidated, reason: 'As seen' }),
  (ground, rego, vehicle) => {
    const { services, people, random } = ground;
    const due = { next_calibration_due: inDays(ground, random(500) - 60), reason: 'As agreed' };
    return updateVehicle(services, people.admins[0], {
      rego,
      input: inputOf(vehicle, due),
      choice: NO_FILES,
      key: undefined,
    });
  },
  ({ services, people }, rego, vehicle) =>
    updateVehicle(services, people.admins[0], {
      rego,
      input: inputOf(vehicle, { notes: 'Seen' }),
      choice: NO_FILES,
      key: undefined,
    }),
  async ({ services, people: { admins }, random }, rego, { id }) => {
    await removeVehicle(services.db, admins[0], { rego });
    if (random(4) > 0) await restoreVehicle(services.db, admins[1], { id });
  },
];

/** Something happens to the truck; also what the rules refuse, as long as they say so. */
export async function happen(ground: Ground, rego: string): Promise<void> {
  const found = await findVehicle(ground.services.db, rego);
  const act = ACTS[ground.random(ACTS.length)];
  if (found.state === 'live') await act?.(ground, rego, found.vehicle);
}

/** Registers it, with or without a tick and a due date far ahead. */
export async function register({ services, people, random }: Ground, rego: string): Promise<void> {
  const who = random(2) === 0 ? people.admins[0] : people.tech;
  const input = vehicleInput({
    rego,
    vin: `6T9${rego}`,
    axle_groups: random(3) === 0 ? '' : 'STEER DRIVE',
    ...(random(2) === 0 ? { calibration_validated: 'yes' } : {}),
    ...(random(2) === 0 ? { next_calibration_due: '2030-01-01' } : {}),
  });
  await registerVehicle(services, who, { input, choice: NO_FILES, key: undefined });
}

/** Imports them, some of them with readings. `again`: those that had none may have some now. */
export async function importTrucks({ services, random }: Ground, regos: readonly string[], again = 0): Promise<void> {
  const Vehicles = Object.fromEntries(
    regos.map((rego, place) => {
      const at = new Date(Date.UTC(2026, 4, 20, 1) + place * 1000);
      const dueOn = ['', '2026-11-25', '2027-04-30'][random(3)] ?? '';
      const calibrations = (place + again) % 3 > 0 ? exportedReadings('STEER', at, { dueOn }) : {};
      const ticked = { calibration_validated: true, next_calibration_due: dueOn };
      return [rego, { rego, vin: `6T9${rego}`, ...ticked, calibrations }];
    }),
  );
  await importInto(services, { Vehicles });
}

/** What happens to many trucks at once: their open visits close, a weighbridge is withdrawn, or that is lifted. */
export async function happenToAll(
  { services, people: { admins }, bridge }: Ground,
  round: number,
  withdrawn: string | undefined,
): Promise<string | undefined> {
  while ((await closeExpired(services.db, { now: services.now(), zone: services.config.timeZone })) > 0);
  if (round % 2 === 0) return withdrawn;
  if (withdrawn !== undefined) await lift(services, [admins[0], admins[1]], withdrawn);
  const today = todayIn(services.config.timeZone, services.now());
  const id =
    withdrawn === undefined ? await withdraw(services, admins, bridge, [addDays(today, -400), today]) : undefined;
  await applyAll(services);
  return id;
}
