// Check visits of tests.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { askCheckVisit } from '#app/check-visits/office/ask-check-visit.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { recordHonestSet, type SetChange } from './visits.ts';

/** Adds a truck, and records an honest visit of it. Returns its id. */
export async function weighedTruck(
  services: Services,
  { admin, tech }: { admin: SignedIn; tech: SignedIn },
  rego: string,
  change: SetChange = {},
): Promise<string> {
  const fields = { rego, vin: `6T9${rego}`, axle_groups: 'STEER DRIVE', company_name: 'First Freight', make: 'Volvo' };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  return weigh(services, tech, rego, change);
}

/** Records an honest visit, but for `change`. Returns its id. */
export async function weigh(services: Services, who: SignedIn, rego: string, change: SetChange = {}): Promise<string> {
  const answer = await recordHonestSet(services, who, rego, change);
  if (!answer.recorded) throw new Error(answer.reason);
  return answer.setId;
}

/** An admin has asked for a check visit of some visit, which they did not record. */
export async function recordCheckVisit(db: Db): Promise<void> {
  const visit = db.selectFrom('visit').select('id').where('state', 'not in', ['open', 'taken-over']);
  const { id: visitId } = await visit.limit(1).executeTakeFirstOrThrow();
  const admin = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const signedIn = { name: 'Mia', sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const who = { ...signedIn, ...admin, role: 'admin' } as const;
  const services = { db, now: () => new Date('2026-11-21T01:00:00Z') };
  const answer = await askCheckVisit(services, who, { visitId, note: 'A test.', key: undefined });
  if (!answer.asked) throw new Error(answer.reason);
}

/** The check visits of all trucks with this rego, the first asked first. */
export const checkVisitsOf = ({ db }: Pick<Services, 'db'>, rego: string) =>
  db
    .selectFrom('checkVisit')
    .innerJoin('vehicle', 'vehicle.id', 'checkVisit.vehicleId')
    .select(['checkVisit.visitId', 'why', 'state', 'closedBy', 'result', 'untilOn', 'note'])
    .where('rego', '=', rego)
    .orderBy('askedAt')
    .execute();

/** The kinds of all activities about check visits, the first first. */
export const checkVisitKinds = async ({ db }: Pick<Services, 'db'>): Promise<string[]> =>
  (
    await db.selectFrom('activityLog').select('kind').where('kind', 'like', 'check-visit.%').orderBy('index').execute()
  ).map(({ kind }) => kind);
