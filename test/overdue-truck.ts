// A truck with one honest visit whose due date has passed, and what people do to it.
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { decideVisit, type DecideVisitAnswer } from '#app/visits/decide-visit.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { differencesFromLog } from './leaves.ts';
import { addSeen } from './people.ts';
import { createTestServices } from './services.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { correctVisit, publicVerdict, recordHonestSet, recordSingles, visitsOf } from './visits.ts';
import type { Correction, SetChange, Singles } from './visits.ts';

export const REGO = 'CHEAT1';
export const OVERDUE = { verdict: 'overdue', dueOn: '2026-07-11' };
export const TODAY = '2026-11-21';
/** A day more than the longest interval. */
export const FAR = addDays(TODAY, 367);
export const TRUCK = {
  vin: '6T9CHEAT0001',
  scale_serial_number: 'S1',
  axle_groups: 'STEER DRIVE',
  calibration_validated: 'yes',
};

export type OverdueTruck = Awaited<ReturnType<typeof openOverdueTruck>>;

export async function openOverdueTruck() {
  const services = await createTestServices({ RATE_LIMITS: 'off' });
  const admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  const tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const register = (rego: string, more: Record<string, string> = {}) =>
    registerVehicle(services, admin, {
      input: vehicleInput({ rego, ...TRUCK, ...more }),
      choice: NO_FILES,
      key: undefined,
    });
  const newest = async () => (await visitsOf(services, REGO)).at(-1)?.id ?? '';
  services.setNow('2026-01-10T01:00:00Z');
  await register(REGO);
  await recordHonestSet(services, tech, REGO, { nudge: 300 });
  services.setNow(`${TODAY}T01:00:00Z`);
  return {
    services,
    admin,
    tech,
    register,
    read: (rego = REGO) => publicVerdict(services, rego),
    states: async (rego = REGO) => (await visitsOf(services, rego)).map(({ state }) => state),
    record: (change: SetChange = {}, who = tech) => recordHonestSet(services, who, REGO, change),
    singles: (axle: Axle, given: Singles = {}) => recordSingles(services, tech, REGO, axle, given),
    /** Corrects every reading of the newest visit. */
    correct: async (change: Correction, who = tech) => correctVisit(services, who, REGO, await newest(), change),
    /** Lets a visit that waits count: the newest, or the one with this id. */
    async accept(who: SignedIn, visitId?: string): Promise<DecideVisitAnswer> {
      const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
      return decideVisit(services.db, who, {
        visitId: visitId ?? (await newest()),
        input,
        now: services.now(),
        key: undefined,
      });
    },
    async twelveHoursLater() {
      services.setNow(`${TODAY}T14:00:00Z`);
      await closeExpired(services.db, { now: services.now(), zone: services.config.timeZone });
    },
    /** Returns how the log differs from the records. */
    async close(): Promise<string[]> {
      const differences = await differencesFromLog(services.db);
      await services.stop();
      return differences;
    },
  };
}
