// Reads the records behind a vehicle's timeline. It selects fields one by one, so the only name in it is the technician's.
import { sql, type RawBuilder } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { HistoryVisit } from '#app/calibrations/history.ts';
import type { Calibration } from '#app/calibrations/queries.server.ts';
import type { Vehicle, VehicleFileEver } from '#app/vehicles/queries.server.ts';
import { timelineOf, type Timeline, type TimelineRecords } from './timeline.ts';
import { verdictFacts, type VerdictPolicy } from '#app/vehicles/verdict.ts';

export function vehicleTimeline(
  vehicle: Vehicle,
  events: readonly TimelineEvent[],
  readings: readonly Calibration[],
  visits: readonly HistoryVisit[],
  certificates: readonly VehicleFileEver[],
  { today, zone, policy }: { today: string; zone: string; policy: VerdictPolicy },
): Timeline {
  const { validations, dues, absences } = byKind(events);
  const known = readings.map(({ origin, calibratedAt, recordedAt }) =>
    (origin === 'imported' ? calibratedAt : recordedAt).getTime(),
  );
  return timelineOf(
    {
      addedAt: vehicle.addedAt,
      verdictKnownFrom: vehicle.origin === 'recorded' ? vehicle.addedAt : (validations[0]?.at ?? null),
      visits: visits.map(({ iso, technician, rows }) => ({
        at: new Date(iso),
        words: `Calibrated${technician === null ? '' : ` by ${technician}`}: ${[...new Set(rows.map(({ axle }) => axle))].join(', ')}`,
      })),
      firstKnownAt: known.length === 0 ? null : new Date(Math.min(...known)),
      validations,
      dues,
      // The record names who added it here.
      certificates: certificates.map(({ addedBy, ...dates }) => ({ ...dates, imported: addedBy === null })),
      absences,
    },
    {
      facts: verdictFacts(vehicle),
      today,
      zone,
      policy,
    },
  );
}

/** One of these events. */
export type TimelineEvent = { at: string; kind: string; validated: boolean | null; nextDueOn: string | null };

const EVENT = named<TimelineEvent>({ at: 'at', kind: 'kind', validated: 'validated', nextDueOn: 'next_due_on' });

/**
 * SQL for the decisions, the due dates that calibrations moved, and the removals and restores of the one vehicle in the
 * table expression `vehicle`, each oldest first. It leaves out the events of an earlier record with the same rego.
 */
export const timelineEvents = (vehicle: RawBuilder<unknown>): RawBuilder<TimelineEvent> => sql`
    select ${EVENT} from (
      select d.decided_at as at, 'validation' as kind, d.validated, d.next_due_on::text, d.id as place
      from ${vehicle} v join validation d on d.vehicle_id = v.id
      union all
      select l.occurred_at, l.kind, null, c ->> 'to', l.index
      from ${vehicle} v
        -- By its index, before anything else is asked of it.
        cross join lateral (
          select * from activity_log where activity_vehicle(rego, topics) = v.rego collate "default" offset 0
        ) l
        left join activity_detail d using (index)
        left join lateral jsonb_array_elements(d.changes) c on l.subject = 'calibration'
      where l.occurred_at >= coalesce(v.added_at, '-infinity')
        and ((l.subject = 'vehicle' and l.subject_id = v.id::text and l.kind in ('vehicle.removed', 'vehicle.restored'))
          or (l.subject = 'calibration' and starts_with(l.subject_id, v.rego || '/')
            and c ->> 'field' = 'next_calibration_due'))
    ) events order by place`;

function byKind(rows: readonly TimelineEvent[]): Pick<TimelineRecords, 'validations' | 'dues' | 'absences'> {
  const events: { -readonly [Name in 'validations' | 'dues' | 'absences']: TimelineRecords[Name][number][] } = {
    validations: [],
    dues: [],
    absences: [],
  };
  for (const { at: text, kind, validated, nextDueOn } of rows) {
    const at = new Date(text);
    if (kind === 'validation') events.validations.push({ at, validated: validated === true, nextDueOn });
    else if (kind.startsWith('vehicle.')) events.absences.push({ at, removed: kind === 'vehicle.removed' });
    else events.dues.push({ at, nextDueOn });
  }
  return events;
}
