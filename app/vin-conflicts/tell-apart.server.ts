// An admin says that two records with one VIN are two trucks: nobody is asked about them again, and none of their
// visits waits for it. With another VIN it is another question.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { aboutVehicle } from '#app/vehicles/about-vehicle.server.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';

export type TellApartAnswer = { told: true } | { told: false; reason: 'gone' };

export function tellApart(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { ids, key }: { ids: readonly string[]; key: unknown },
): Promise<TellApartAnswer> {
  const at = now();
  return idempotent<TellApartAnswer>(db, { who, kind: 'vehicles.told-apart', key, values: { ids } }, async (tx) => {
    const [first, second] = await tx
      .selectFrom('vehicle')
      .select(['id', 'rego', 'vin'])
      .where('id', 'in', [...ids])
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    if (first === undefined || second === undefined || first.vin !== second.vin || knownVin(first.vin) === '')
      return { told: false, reason: 'gone' };
    const actorId = await actorOf(tx, who);
    const said = await tx
      .insertInto('twoTrucks')
      .values({ firstId: first.id, secondId: second.id, vin: first.vin, saidBy: actorId, saidAt: at })
      .onConflict((known) => known.doNothing())
      .returning('vin')
      .executeTakeFirst();
    if (said === undefined) return { told: false, reason: 'gone' };
    await appendActivity(tx, {
      kind: 'vehicles.told-apart',
      ...aboutVehicle(first, actorId, who),
      regos: [second.rego],
      details: `${first.rego} and ${second.rego} are two trucks with the VIN ${first.vin}`,
    });
    return { told: true };
  });
}
