// A truck with one visit, on a database that insists on leaves, and the people who may check that visit.
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { checkVisitsOf, weighedTruck } from './check-visits.ts';
import { insistOnLeaves } from './cluster.ts';
import { differencesFromLog } from './leaves.ts';
import { addSeen } from './people.ts';
import { createTestServices } from './services.ts';
import { visitsOf } from './visits.ts';

export const REGO = 'CHECK1';
/** Of the visit that is to be checked. No other visit repeats its readings by chance. */
export const NUDGE = 41;

export type CheckedTruck = Awaited<ReturnType<typeof openCheckedTruck>>;

/** `checked`: the visit of `tech` on 4 June 2026. Today is 10 June. */
export async function openCheckedTruck() {
  const services = await createTestServices({ RATE_LIMITS: 'off' });
  const admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  const noor = await addSeen(services, 'admin', 'noor@registry.example', 'Noor');
  const tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const other = await addSeen(services, 'technician', 'pat@scales.example', 'Pat Lee');
  services.setNow('2026-06-04T01:00:00Z');
  const checked = await weighedTruck(services, { admin, tech }, REGO, { nudge: NUDGE });
  await insistOnLeaves(services.address, true);
  services.setNow('2026-06-10T01:00:00Z');
  return {
    services,
    admin,
    noor,
    tech,
    other,
    checked,
    later: (day: string) => services.setNow(`${day}T01:00:00Z`),
    /** Of its check visits the results, or the states. */
    states: async () => (await checkVisitsOf(services, REGO)).map(({ state, result }) => result ?? state),
    async decide(visitId: string, decision: 'accepted' | 'set-aside') {
      const openedState = (await visitsOf(services, REGO)).find(({ id }) => id === visitId)?.state ?? '';
      const reason = decision === 'accepted' ? 'weighed-again' : 'does-not-fit';
      const input = { decision, reason, note: '', openedState } as const;
      return decideVisit(services.db, noor, { visitId, input, now: services.now(), key: undefined });
    },
    /** Returns how the log differs from the records. */
    async close(): Promise<string[]> {
      const differences = await differencesFromLog(services.db);
      await services.stop();
      return differences;
    },
  };
}
