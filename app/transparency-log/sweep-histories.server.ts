// Holds the whole history of every vehicle against the public log, at least once a day: what nobody opens is checked
// too. The leader does it beside the work of the day, each time as many vehicles as it takes to be through in time; cut
// off at any moment, it goes on where it was.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { keepChecks } from './history-checks.server.ts';
import { makeFingerprintsAgain, wrongFingerprints } from './verify-fingerprints.server.ts';
import { findMismatches } from './vehicle-records.server.ts';

const HOUR_MS = 3_600_000;
const BEGIN_EVERY_MS = 20 * HOUR_MS;
const SPREAD_OVER_MS = 16 * HOUR_MS;
const LEAST_AT_ONCE = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Sweeping = Pick<Services, 'db' | 'log' | 'now'> & {
  /** How often this is called, in milliseconds. */
  everyMs: number;
  isLost: () => boolean;
};

/** Checks the next vehicles, if it is time. Returns how many. */
export async function sweepHistories({ db, log, now, everyMs, isLost }: Sweeping): Promise<number> {
  const sweep = await currentSweep(db, now());
  if (sweep === undefined) return 0;
  const atOnce = Math.max(LEAST_AT_ONCE, Math.ceil((sweep.vehicles * everyMs) / SPREAD_OVER_MS));
  const vehicles = await db
    .selectFrom('vehicle')
    .leftJoin('historyCheck', 'historyCheck.vehicleId', 'vehicle.id')
    .select(['id', 'rego', (eb) => eb.fn.coalesce('findings', sql<string[]>`'{}'`).as('before')])
    .where('id', '>', sweep.afterId)
    .orderBy('id')
    .limit(atOnce)
    .execute();
  const checked: Parameters<typeof keepChecks>[1][number][] = [];
  for (const vehicle of vehicles) {
    if (isLost()) break;
    const findings = await findMismatches(db, vehicle);
    if (findings.length > 0) log.error({ rego: vehicle.rego, findings }, 'a vehicle’s records are not what was logged');
    checked.push({ ...vehicle, findings });
  }
  const swept = checked.map(({ id }) => id);
  for (const { id, rego } of swept.length === 0 ? [] : await wrongFingerprints(db, swept)) {
    log.error({ rego }, 'the fingerprints of a vehicle’s readings were not theirs, and are made again');
    await makeFingerprintsAgain(db, id);
  }
  await keepChecks(db, checked, now());
  await db
    .updateTable('historySweep')
    .set({
      afterId: checked.at(-1)?.id ?? sweep.afterId,
      ...(vehicles.length < atOnce && checked.length === vehicles.length ? { endedAt: now() } : {}),
    })
    .where('afterId', '=', sweep.afterId)
    .execute();
  return checked.length;
}

// The sweep under way, or a new one when it is time; undefined: nothing is to do.
async function currentSweep(db: Db, now: Date): Promise<{ vehicles: number; afterId: string } | undefined> {
  const sweep = await db.selectFrom('historySweep').selectAll().executeTakeFirstOrThrow();
  const { begunAt, endedAt, vehicles, afterId } = sweep;
  if (begunAt !== null && endedAt === null) return { vehicles, afterId };
  const since = begunAt === null ? BEGIN_EVERY_MS : now.getTime() - begunAt.getTime();
  // A clock that was ahead and is set right must not put it off.
  if (since >= 0 && since < BEGIN_EVERY_MS) return undefined;
  return db
    .updateTable('historySweep')
    .set({
      begunAt: now,
      endedAt: null,
      afterId: FIRST_ID,
      vehicles: (eb) => eb.selectFrom('vehicle').select((count) => count.fn.countAll<number>().as('all')),
    })
    .returning(['vehicles', 'afterId'])
    .executeTakeFirst();
}
