// Reads the records behind a vehicle's timeline. It selects fields one by one, so the only name in it is the
// technician's.
import { sql, type RawBuilder } from 'kysely';
import { endOfDay, formatDay, instantOf } from '#app/platform/time/calendar.ts';
import type { VisitOfTruck } from '#app/visits/evidence.ts';
import { stateWord, type VisitState } from '#app/visits/visit.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { HistoryVisit } from '#app/visits/history.ts';
import type { Calibration } from '#app/readings/queries.server.ts';
import { counts, newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { placesOfVisit } from '#app/transparency-log/weighed-places.server.ts';
import type { Vehicle, VehicleFileEver } from '#app/vehicles/queries.server.ts';
import { decisionLabel, type PublicReport } from '#app/wrong-records/report.ts';
import type { Scope } from './shown-records.server.ts';
import { timelineOf, type Timeline, type TimelineRecords, type WithdrawnBridge } from './timeline.ts';
import { verdictFacts, type VerdictPolicy } from '#app/vehicles/verdict.ts';

/** What is read of a vehicle (read-vehicle-page.server.ts has the words). */
export type TimelineSources = {
  vehicle: Vehicle;
  from: Date | null;
  events: readonly TimelineEvent[];
  readings: readonly Calibration[];
  visits: readonly VisitOfTruck[];
  countedBefore: boolean;
  isTakenOver: boolean;
  files: readonly VehicleFileEver[];
  reports: readonly PublicReport[];
};

/** `history`: the visits as the history shows them. */
export function vehicleTimeline(
  sources: TimelineSources,
  history: readonly HistoryVisit[],
  { today, zone, policy }: { today: string; zone: string; policy: VerdictPolicy },
): Timeline {
  const { vehicle, from, events, readings, visits, isTakenOver, files, reports } = sources;
  const { validations, dues, absences, states } = byKind(events, readings);
  const known = readings.map(({ origin, calibratedAt, recordedAt }) =>
    (origin === 'imported' ? calibratedAt : recordedAt).getTime(),
  );
  const dayOf = new Map(visits.map(({ id, visitedOn }) => [id, formatDay(visitedOn, 'short')]));
  const verdictKnownFrom = vehicle.origin === 'recorded' ? vehicle.addedAt : (validations[0]?.at ?? null);
  return timelineOf(
    {
      from,
      addedAt: vehicle.addedAt,
      verdictKnownFrom,
      visits: history.map(({ iso, technician, rows, visitId, state }) => ({
        at: instantOf(iso),
        words: `Calibrated${technician === null ? '' : ` by ${technician}`}: ${[...new Set(rows.map(({ axle }) => axle))].join(', ')}${stateWords(states.find((one) => one.visitId === visitId)?.state ?? state?.state)}`,
      })),
      firstKnownAt: known.length === 0 ? null : new Date(Math.min(...known)),
      isTakenOver,
      states: [
        ...statesBefore(states, sources),
        ...states.map(({ at, visitId, state, withdrawal }) => ({
          at,
          visitId,
          state,
          day: dayOf.get(visitId) ?? '',
          withdrawal: withdrawal ?? null,
        })),
      ],
      validations,
      dues: [
        ...(from === null
          ? []
          : [{ at: from, nextDueOn: dues.length > 0 ? (dues[0]?.before ?? null) : vehicle.nextCalibrationDueOn }]),
        ...dues,
      ],
      // The record names who added it here.
      certificates: files
        .filter(({ role }) => role === 'certificate')
        .map(({ addedBy, ...dates }) => ({ ...dates, imported: addedBy === null })),
      absences,
      reports: reports.flatMap(({ decision, decidedOn, visitedOn, entry }) =>
        decidedOn === null || decision === 'taken-back'
          ? []
          : [{ at: endOfDay(decidedOn, zone), words: decidedWords(decision, visitedOn), entry }],
      ),
    },
    {
      facts: verdictFacts(vehicle),
      today,
      zone,
      policy,
    },
  );
}

// What counted when the shown part begins, as events of it: so the part is judged as the whole is.
function statesBefore(states: ByKind['states'], { from, countedBefore }: TimelineSources): TimelineRecords['states'] {
  if (from === null) return [];
  const changed = [...Map.groupBy(states, ({ visitId }) => visitId)].filter(
    ([, [first]]) => first?.before === 'counts' || first?.before === 'accepted',
  );
  return [...changed.map(([visitId]) => visitId), ...(countedBefore ? ['earlier'] : [])].map((visitId) => ({
    at: from,
    visitId,
    state: 'counts',
    day: '',
  }));
}

const stateWords = (state: VisitState | undefined): string => (state === undefined ? '' : `. ${stateWord(state)}`);

const decidedWords = (decision: string | null, visitedOn: string | null): string =>
  `A report${visitedOn === null ? '' : ` about the visit of ${formatDay(visitedOn, 'short')}`} was decided: ${decisionLabel(decision).toLowerCase()}.`;

/** One of these events. */
export type TimelineEvent = {
  at: string;
  kind: string;
  validated: boolean | null;
  nextDueOn: string | null;
  /** The due date, or the visit's state, that was before it. */
  before: string | null;
  /** Whose visit's state changed: the visit, or one of its entries. */
  subjectId: string | null;
  state: VisitState | null;
  /** What the withdrawal of its weighbridge did, or its lift. */
  withdrawal: WithdrawnBridge | null;
};

const EVENT = named<TimelineEvent>({
  at: 'at',
  kind: 'kind',
  validated: 'validated',
  nextDueOn: 'next_due_on',
  before: 'before',
  subjectId: 'subject_id',
  state: 'state',
  withdrawal: 'withdrawal',
});

// The entries of the activity log: by the vehicle, or by what is shown of it. Each by its index, before anything else
// is asked (`offset 0`). A key made from a rego has the collation of regos, and that index has another: without the
// explicit one the entries about the readings of all vehicles are read.
const ENTRIES: Record<Scope, RawBuilder<unknown>> = {
  whole: sql`select * from activity_log
    where activity_vehicle(rego, topics) = any(array(select v.rego collate "default"
      union select f.rego collate "default" from former_plate f where f.vehicle_id = v.id)) offset 0`,
  newest: sql`
    (select * from activity_log where subject = 'vehicle' and subject_id = v.id::text order by index desc limit 50)
    union all select a.* from shown_visit t cross join lateral (
      select * from activity_log where subject = 'visit' and subject_id = t.id::text offset 0) a
    union all select a.* from shown_reading r cross join lateral (
      select * from activity_log where subject = 'calibration' and subject_id = (r.rego || '/' || r.id) collate "default"
      offset 0) a`,
};

// Under its regos there may be entries about other vehicles: those that had the plate before, or have it now. Asked as
// EXISTS, the visits of all vehicles would be read.
const IS_OF_VEHICLE: Record<Scope, RawBuilder<unknown>> = {
  whole: sql`v.id = case l.subject
    when 'visit' then (select t.vehicle_id from visit t where t.vehicle_id = v.id and t.id::text = l.subject_id limit 1)
    else (select r.vehicle_id from calibration r where r.rego = split_part(l.subject_id, '/', 1)
      and r.id = nullif(split_part(l.subject_id, '/', 2), '')::bigint) end`,
  newest: sql`true`,
};

/**
 * SQL for the decisions, the due dates that calibrations moved, the states of visits, the withdrawals of their
 * weighbridges and their lifts, and the removals and restores of the one vehicle in the table expression `v`, each
 * oldest first, as far as they are shown (shown-records.server.ts). It leaves out the events of other records with the
 * same rego.
 */
export const timelineEvents = (scope: Scope): RawBuilder<TimelineEvent> => sql`
    select ${EVENT} from (
      select d.decided_at as at, 'validation' as kind, d.validated, d.next_due_on::text, null as before, null as subject_id,
        null as state, null::json as withdrawal, d.id as place
      from validation d where d.id in (select id from shown_validation)
      union all
      select l.occurred_at, l.kind, null,
        case when c ->> 'field' = 'next_calibration_due' then c ->> 'to' end,
        c ->> 'from',
        case when c ->> 'field' = 'visit_state' then l.subject_id end,
        case when c ->> 'field' = 'visit_state' then c ->> 'to' end, null::json, l.index
      from v
        cross join lateral (${ENTRIES[scope]}) l
        left join activity_detail d using (index)
        left join lateral jsonb_array_elements(d.changes) c on l.subject in ('calibration', 'visit')
      where l.occurred_at >= coalesce(greatest(v.added_at, (select from_at from shown)), '-infinity')
        and ((l.subject = 'vehicle' and l.subject_id = v.id::text and l.kind in ('vehicle.removed', 'vehicle.restored'))
          or (l.subject in ('calibration', 'visit') and c ->> 'field' in ('next_calibration_due', 'visit_state')
            and ${IS_OF_VEHICLE[scope]}))
      union all
      -- An entry about a withdrawal names a thousand trucks: what it did to this one is worked out from its visits.
      select m.at, 'withdrawal', null, (
          select coalesce(r.hand_due_on, r.due_on)::text from visit r
          where r.vehicle_id = v.id and ${counts('r.state')} and r.opened_at < m.at
          order by ${newestFirst('r')} limit 1), null, t.id::text, m.state,
        json_build_object('id', b.id, 'name', b.name, 'fromOn', w.from_on, 'toOn', w.to_on, 'isLifted', m.is_lift), null
      from v
        join visit t on t.vehicle_id = v.id
        cross join lateral (select distinct on (w.id) w.* from ${placesOfVisit('t')} place
          join reference_withdrawal w on w.reference_id = place.reference_id
            and place.on_day between w.from_on and w.to_on offset 0) w
        join reference b on b.id = w.reference_id
        cross join lateral (values (w.confirmed_at, 'waits', false), (w.lifted_at, t.state, true)) m (at, state, is_lift)
      where m.at > greatest(t.closed_at, (select from_at from shown))
        and (${counts('t.before_recall')} or (w.lifted_at is not null and t.before_recall is null and ${counts('t.state')}))
    ) events order by place`;

type ByKind = Pick<TimelineRecords, 'validations' | 'absences'> & {
  dues: readonly { at: Date; nextDueOn: string | null; before: string | null }[];
  states: readonly {
    at: Date;
    visitId: string;
    state: VisitState;
    before: string | null;
    withdrawal?: WithdrawnBridge | null;
  }[];
};

function byKind(rows: readonly TimelineEvent[], readings: readonly Calibration[]): ByKind {
  const visitOf = new Map(readings.map(({ rego, id, visitId }) => [`${rego}/${id}`, visitId]));
  const events: { -readonly [Name in keyof ByKind]: ByKind[Name][number][] } = {
    validations: [],
    dues: [],
    absences: [],
    states: [],
  };
  for (const { at: text, kind, validated, nextDueOn, before, subjectId, state, withdrawal } of rows) {
    const at = instantOf(text);
    if (kind === 'validation') events.validations.push({ at, validated: validated === true, nextDueOn });
    else if (kind.startsWith('vehicle.')) events.absences.push({ at, removed: kind === 'vehicle.removed' });
    else if (kind === 'withdrawal' && subjectId !== null && state !== null) {
      events.states.push({ at, visitId: subjectId, state, before: state === 'waits' ? 'counts' : 'waits', withdrawal });
      events.dues.push({ at, nextDueOn, before: null });
    } else if (state !== null) {
      // An entry is named by its rego and id.
      const visitId = subjectId?.includes('/') === true ? visitOf.get(subjectId) : subjectId;
      if (visitId != null) events.states.push({ at, visitId, state, before });
    } else events.dues.push({ at, nextDueOn, before });
  }
  return { ...events, states: events.states.toSorted((a, b) => a.at.getTime() - b.at.getTime()) };
}
