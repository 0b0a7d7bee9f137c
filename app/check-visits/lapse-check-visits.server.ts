// Check visits for which nobody came end after their last day.
import type { Db } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { appendEntered, endCheckVisit } from './enter-check-visit.server.ts';
import { openCheckVisit } from './queries.server.ts';

const AT_ONCE = 100;

/** Each in a transaction of its own. Returns how many. */
export async function lapseCheckVisits(db: Db, { now, zone }: { now: Date; zone: string }): Promise<number> {
  const today = todayIn(zone, now);
  const over = await db
    .selectFrom('checkVisit')
    .select(['id', 'vehicleId'])
    .where('state', '=', 'open')
    .where('untilOn', '<', today)
    .orderBy('untilOn')
    .limit(AT_ONCE)
    .execute();
  for (const { id, vehicleId } of over)
    await db.transaction().execute(async (tx) => {
      const vehicle = await tx
        .selectFrom('vehicle')
        .select(['id', 'rego'])
        .where('id', '=', vehicleId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const row = await openCheckVisit(tx, vehicleId);
      if (row === undefined || row.id !== id) return;
      await appendEntered(tx, await endCheckVisit(tx, vehicle, { row, state: 'lapsed', by: { actorId: null, now } }));
    });
  return over.length;
}
