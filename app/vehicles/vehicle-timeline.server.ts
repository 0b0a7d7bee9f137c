// What a vehicle's history at a glance is made of. Read field by field: nobody's name is among it but the technician's.
import { sql } from 'kysely';
import type { HistoryVisit } from '#app/calibrations/history.ts';
import type { Calibration } from '#app/calibrations/queries.server.ts';
import type { Db } from '#app/platform/database.server.ts';
import type { Vehicle } from './queries.server.ts';
import { timelineOf, type Timeline, type TimelineRecords } from './timeline.ts';
import type { VerdictPolicy } from './verdict.ts';

export async function vehicleTimeline(
  db: Db,
  vehicle: Vehicle,
  readings: readonly Calibration[],
  visits: readonly HistoryVisit[],
  { today, zone, policy }: { today: string; zone: string; policy: VerdictPolicy },
): Promise<Timeline> {
  const [validations, certificates, { dues, absences }] = await Promise.all([
    db
      .selectFrom('validation')
      .select(['decidedAt as at', 'validated', 'nextDueOn'])
      .where('vehicleId', '=', vehicle.id)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('vehicleFile')
      .select(['addedAt', 'removedAt', 'addedBy'])
      .where('vehicleId', '=', vehicle.id)
      .where('role', '=', 'certificate')
      .execute(),
    loggedOf(db, vehicle),
  ]);
  const known = readings.map(({ origin, calibratedAt, recordedAt }) =>
    (origin === 'imported' ? calibratedAt : recordedAt).getTime(),
  );
  return timelineOf(
    {
      addedAt: vehicle.addedAt,
      verdictKnownFrom: vehicle.origin === 'recorded' ? vehicle.addedAt : (validations[0]?.at ?? null),
      visits: visits.map(({ iso, technician, rows }) => ({
        at: new Date(iso),
        words: `Calibrated by ${technician}: ${[...new Set(rows.map(({ axle }) => axle))].join(', ')}`,
      })),
      firstKnownAt: known.length === 0 ? null : new Date(Math.min(...known)),
      validations,
      dues,
      // Whoever adds one here is named in the record.
      certificates: certificates.map(({ addedBy, ...dates }) => ({ ...dates, imported: addedBy === null })),
      absences,
    },
    {
      facts: {
        hasCalibration: vehicle.lastCalibratedAt !== null,
        validated: vehicle.calibrationValidated,
        nextDueOn: vehicle.nextCalibrationDueOn,
      },
      today,
      zone,
      policy,
    },
  );
}

// Due dates that calibrations moved, and when the record was removed and restored. Of a rego that another record had
// before, what that one did is not this one's.
async function loggedOf(db: Db, { id, rego, addedAt }: Vehicle): Promise<Pick<TimelineRecords, 'dues' | 'absences'>> {
  const { rows } = await sql<{ at: Date; kind: string; nextDueOn: string | null }>`
    select l.occurred_at as at, l.kind, c ->> 'to' as next_due_on
    from activity_log l left join activity_detail d using (index)
      left join lateral jsonb_array_elements(d.changes) c on l.subject = 'calibration'
    where l.occurred_at >= coalesce(${addedAt}::timestamptz, '-infinity')
      and ((l.subject = 'vehicle' and l.subject_id = ${id} and l.kind in ('vehicle.removed', 'vehicle.restored'))
        or (l.subject = 'calibration' and l.subject_id like ${`${rego}/%`} and c ->> 'field' = 'next_calibration_due'))
    order by l.index`.execute(db);
  return {
    dues: rows.flatMap(({ at, kind, nextDueOn }) => (kind.startsWith('vehicle.') ? [] : [{ at, nextDueOn }])),
    absences: rows.flatMap(({ at, kind }) =>
      kind.startsWith('vehicle.') ? [{ at, removed: kind === 'vehicle.removed' }] : [],
    ),
  };
}
