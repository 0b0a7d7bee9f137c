// What an import adds to a truck on which a visit was recorded here is judged: its new readings become visits. To other
// trucks they come as they stood, and only their fingerprints are noted.
import { sql } from 'kysely';
import { closeVisit, judgeAgain } from '#app/visits/close-visit.server.ts';
import { OPEN_MS } from '#app/visits/visit.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import type { AddedCalibrations } from './import-calibrations.server.ts';
import type { ImportJob } from './import-job.server.ts';

/** Returns the leaves of the visits that the new readings make. Call it after the readings are written. */
export async function judgeImported(tx: Tx, job: ImportJob, added: AddedCalibrations): Promise<LeafEvent[]> {
  const grown = [...added].filter(([, tally]) => tally.added > 0 || tally.changed.length > 0);
  const events: LeafEvent[] = [];
  for (const [vehicleId, { hasVisits, rego, changed }] of grown) {
    if (!hasVisits) continue;
    for (const visitId of await openImported(tx, job, vehicleId))
      events.push(await judge(tx, job, { vehicleId, visitId }));
    for (const visitId of await visitsOf(tx, rego, changed)) events.push(await judge(tx, job, { vehicleId, visitId }));
  }
  // Of what did not become a visit: an older reading may have changed on any truck.
  if (grown.length > 0) await sql`select fingerprint_taken_over(${grown.map(([id]) => id)}::uuid[])`.execute(tx);
  return events;
}

// The new readings of one technician within the time of a visit are one.
async function openImported(tx: Tx, { now, timeZone }: ImportJob, vehicleId: string): Promise<string[]> {
  const { rows } = await sql<{ id: number; technicianId: number | null; calibratedAt: Date }>`
    select id, technician_id, calibrated_at from calibration c
    where vehicle_id = ${vehicleId} and visit_id is null and origin = 'imported'
      and recorded_at = transaction_timestamp()
    order by technician_id nulls first, calibrated_at, id`.execute(tx);
  const opened: string[] = [];
  let visit: { technicianId: number | null; from: Date; ids: number[] } | undefined;
  const write = async () => {
    if (visit === undefined) return;
    const { id } = await tx
      .insertInto('visit')
      .values({
        vehicleId,
        technicianId: visit.technicianId,
        visitedAt: visit.from,
        visitedOn: todayIn(timeZone, visit.from),
        openedAt: now(),
        state: 'open',
        origin: 'imported',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('calibration')
      .set({ visitId: id })
      .where('vehicleId', '=', vehicleId)
      .where('id', 'in', visit.ids)
      .execute();
    opened.push(id);
  };
  for (const { id, technicianId, calibratedAt } of rows) {
    const isSame = visit?.technicianId === technicianId && calibratedAt.getTime() - visit.from.getTime() < OPEN_MS;
    if (!isSame) {
      await write();
      visit = { technicianId, from: calibratedAt, ids: [] };
    }
    visit?.ids.push(id);
  }
  await write();
  return opened;
}

// The visits of readings that changed in the export.
async function visitsOf(tx: Tx, rego: string, changed: readonly { id: number }[]): Promise<string[]> {
  if (changed.length === 0) return [];
  const ids = changed.map(({ id }) => id);
  const found = await tx
    .selectFrom('calibration')
    .select('visitId')
    .distinct()
    .where('rego', '=', rego)
    .where('id', 'in', ids)
    .where('visitId', 'is not', null)
    .$narrowType<{ visitId: string }>()
    .execute();
  return found.map(({ visitId }) => visitId);
}

async function judge(
  tx: Tx,
  { now, timeZone: zone }: ImportJob,
  { vehicleId, visitId }: { vehicleId: string; visitId: string },
): Promise<LeafEvent> {
  const vehicle = await findVehicleById(tx, vehicleId);
  const visit = await findVisit(tx, visitId);
  if (vehicle === undefined || visit === undefined) throw new Error('the imported visit is not there');
  const hold = visit.state === 'open' ? closeVisit : judgeAgain;
  return visitEvent('visit.closed', vehicle, await hold(tx, vehicle, { visit, actorId: null, now: now(), zone }));
}
