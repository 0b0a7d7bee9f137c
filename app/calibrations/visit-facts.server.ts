// What the checks need to know of a visit, read at the moment when it closes, or before it is saved.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { addDays, daysBetween, todayIn } from '#app/platform/time/calendar.ts';
import { standingOf } from '#app/people/standing-queries.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { axleGroupsOf, AXLES, type Axle } from '#app/vehicles/axle.ts';
import { COUNTING_STATES } from '#app/tlog/rests-on.ts';
import type { VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import { isOtherVin } from '#app/vehicles/vin-typed-wrong.server.ts';
import { measureAxles, type MeasuredSet } from './axle-lines.ts';
import { fourIn, type FourReadings } from './calibration-line.ts';
import { groupReadings, readingsByField } from './calibration-set.ts';
import { findCopied } from './find-copies.server.ts';
import { historyToJudge, type CalibrationSet, type JudgedHistory, type JudgedReading } from './queries.server.ts';
import { referenceFacts } from './reference-facts.server.ts';
import type { LineBefore, VisitAxle, VisitFacts } from './visit-checks.ts';
import { OPEN_MS } from './visit.ts';
import type { VisitRow } from './visit-queries.server.ts';

const OLDER_DAYS = 90;

type Rules = { policy: Policy; zone: string };
type JudgedVisit = Pick<
  VisitRow,
  | 'id'
  | 'vehicleId'
  | 'personId'
  | 'visitedAt'
  | 'visitedOn'
  | 'openedAt'
  | 'closedAt'
  | 'isConfirmed'
  | 'referenceId'
  | 'vin'
>;
/** What was before the visit on an axle. */
type Before = Pick<VisitAxle, 'before' | 'emptyBefore'>;
type OwnReading = Pick<JudgedReading, 'axle' | 'attribute' | 'value' | 'dueOn'>;
type OwnSet = Pick<CalibrationSet, 'weighbridge' | 'ticketNumber' | 'photoId' | 'axles' | 'notBehind'>;

/** The facts of `visit`, a visit of the locked `vehicle`, and its complete axles. `zone`: the registry's. */
export async function visitFacts(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  visit: VisitRow,
  rules: Rules,
): Promise<{ facts: VisitFacts; axles: CompleteAxle[] }> {
  const ownOf = ({ readings }: JudgedHistory) =>
    readings.filter(({ visitId, supersededBy }) => visitId === visit.id && supersededBy === null);
  // An older visit may be held against the checks again.
  const { history, before } = await readBefore(tx, visit, ownOf, rules, visit.state === 'open');
  const own = ownOf(history);
  const set = history.sets.find(({ id }) => id === visit.id);
  return {
    // A closed visit is judged by the VIN of then.
    facts: await factsOf(tx, vehicle, visit.state === 'open' ? { ...visit, vin: vehicle.vin } : visit, {
      own,
      set,
      before,
      zone: rules.zone,
    }),
    axles: completeAxles(own),
  };
}

/** The facts of a visit that is not stored: its id is a new one. */
export async function typedFacts(
  db: Db,
  vehicle: VehicleOfVisit,
  visit: JudgedVisit,
  { own, set, ...rules }: { own: readonly OwnReading[]; set: OwnSet } & Rules,
): Promise<VisitFacts> {
  const { before } = await readBefore(db, visit, () => own, rules, true);
  return factsOf(db, vehicle, visit, { own, set, before, zone: rules.zone });
}

const READINGS_LOOKED_AT = 120;

// The lines before a visit. Those of the newest one are nearly always among the newest readings; if not, all are read.
async function readBefore(
  tx: Db | Tx,
  visit: JudgedVisit,
  ownOf: (history: JudgedHistory) => readonly OwnReading[],
  rules: Rules,
  isNewest: boolean,
): Promise<{ history: JudgedHistory; before: Map<Axle, Before> }> {
  if (isNewest) {
    const newest = { count: READINGS_LOOKED_AT, since: visit.openedAt };
    const history = await historyToJudge(tx, visit.vehicleId, newest);
    const axles = new Set(ownOf(history).map(({ axle }) => axle));
    const before = linesBefore(visit, history, axles, rules);
    if (before !== undefined) return { history, before };
  }
  const history = await historyToJudge(tx, visit.vehicleId);
  const axles = new Set(ownOf(history).map(({ axle }) => axle));
  return { history, before: linesBefore(visit, history, axles, rules) ?? new Map() };
}

async function factsOf(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  visit: JudgedVisit,
  {
    own,
    set,
    before,
    zone,
  }: {
    own: readonly OwnReading[];
    set: OwnSet | undefined;
    before: ReadonlyMap<Axle, Before>;
    zone: string;
  },
): Promise<VisitFacts> {
  const recordedOn = todayIn(zone, visit.openedAt);
  const found = await lookAround(tx, vehicle, visit, { set, zone });
  const days = own.flatMap(({ dueOn }) => dueOn ?? []).toSorted();
  return {
    visitedOn: visit.visitedOn,
    recordedOn,
    dueOn: days[0] ?? null,
    axles: axlesOfVisit(own, set?.axles).map((one) => ({ ...one, ...before.get(one.axle) })),
    copied: await findCopied(tx, visit, completeAxles(own)),
    fitted: axleGroupsOf(vehicle.axleGroups),
    notBehind: axleGroupsOf(set?.notBehind ?? ''),
    isConfirmed: visit.isConfirmed,
    elsewhere: [
      ...(found.hasVinElsewhere ? (['VIN'] as const) : []),
      ...(found.hasSerialElsewhere ? (['scale serial number'] as const) : []),
      ...(found.hasLookAlike ? (['rego, but for characters that look alike'] as const) : []),
      ...(found.isRegisteredAgain ? (['rego (that record was removed)'] as const) : []),
    ],
    hasNewVin: found.vinBefore !== null && (await isOtherVin(tx, vehicle.id, found.vinBefore, visit.vin)),
    technician: visit.personId === null ? null : await standingOf(tx, visit.personId, zone),
    reference: await referenceFacts(tx, visit, set?.weighbridge ?? ''),
    ticket: set === undefined || set.ticketNumber === '' ? null : { isUsedTwice: found.isTicketUsed },
    photo: set === undefined || set.photoId === null ? null : { isUsedTwice: found.isPhotoUsed },
  };
}

/**
 * The axles of a visit by its readings, without the lines before them. `extras`: of its set. A replaced sensor goes before another
 * trailer.
 */
export function axlesOfVisit(
  readings: readonly Pick<OwnReading, 'axle' | 'attribute' | 'value'>[],
  extras: OwnSet['axles'] = [],
): VisitAxle[] {
  const byAxle = Map.groupBy(readings, ({ axle }) => axle);
  return AXLES.flatMap(({ axle }): VisitAxle[] => {
    const own = byAxle.get(axle);
    if (own === undefined) return [];
    const extra = extras.find((one) => one.axle === axle);
    const { as_found_empty: empty = null, as_found_loaded: loaded = null } = extra ?? {};
    return [
      {
        axle,
        readings: readingsByField(own),
        before: [],
        ...(empty === null || loaded === null ? {} : { asFound: { empty, loaded } }),
        ...(extra?.other_trailer === true ? { begins: 'other-trailer' } : {}),
        ...(extra?.sensor_replaced === true ? { begins: 'sensor-replaced' } : {}),
      },
    ];
  });
}

/**
 * Of each of `axles` the last line that counts, and the newest one at least 90 days older than the visit. Undefined: the history
 * may begin too late to tell.
 *
 * A reading that is left out was recorded before `from`, so measured before; no visit lasts longer than it may be open. So what
 * was measured later than that is whole here, and is what the whole history would give; but who is meant by a name alone may
 * show in an older reading.
 */
function linesBefore(
  visit: JudgedVisit,
  { readings, from, sets }: JudgedHistory,
  axles: ReadonlySet<Axle>,
  { policy, zone }: Rules,
): Map<Axle, Before> | undefined {
  if (from > 0 && readings.some(({ technicianIsName }) => technicianIsName)) return undefined;
  const isWhole = ({ at }: { at: Date }) => from === 0 || at.getTime() > from + OPEN_MS;
  const earlier = readings.filter(
    ({ visitId, calibratedAt }) => visitId !== visit.id && calibratedAt <= visit.visitedAt,
  );
  const late = new Set(earlier.filter((one) => isLateCorrection(one, { policy, zone })).map(({ id }) => id));
  const corrected = new Set(earlier.flatMap(({ id, visitId }) => (late.has(id) ? [visitId] : [])));
  const stood = earlier
    .filter(({ id }) => !late.has(id))
    .map((one) => (one.supersededBy !== null && late.has(one.supersededBy) ? { ...one, supersededBy: null } : one));
  const seriesOf = (those: readonly JudgedReading[]) => measureAxles(groupReadings(those), sets, policy);
  const oldest = addDays(visit.visitedOn, -OLDER_DAYS);
  const series = seriesOf(stood.filter(({ isCounting }) => isCounting));
  const held = seriesOf(stood.filter(({ isWaiting, visitId }) => isWaiting && corrected.has(visitId)));
  const lines = new Map<Axle, Before>();
  for (const axle of axles) {
    const measured = (series.get(axle) ?? []).filter(isWhole);
    // What was read before a sensor was replaced is another scale's.
    const begin = measured.findLastIndex(({ extras }) => extras?.sensor_replaced === true);
    const counting = linesOf(measured.slice(Math.max(0, begin)));
    const comparable = counting.length > 0 ? counting : linesOf(held.get(axle) ?? []);
    const last = comparable.at(-1);
    const older = comparable.findLast(({ at }) => at.toISOString().slice(0, 10) <= oldest);
    const weighed = measured.findLast(({ group, four }) => group.first.isOfHere && four !== undefined);
    if (from > 0 && ((begin < 0 && older === undefined) || weighed === undefined)) return undefined;
    const notBehind = sets.find(({ id }) => id === weighed?.group.setId)?.notBehind ?? '';
    const found = [last, older].filter((one) => one !== undefined);
    lines.set(axle, {
      before: [...new Set(found)].map(({ at, ...rest }): LineBefore => ({ ...rest, on: todayIn(zone, at) })),
      ...(weighed?.four === undefined
        ? {}
        : { emptyBefore: { kg: weighed.four.empty_weight, on: todayIn(zone, weighed.at), notBehind } }),
    });
  }
  return lines;
}

const linesOf = (measured: readonly MeasuredSet<JudgedReading>[]) =>
  measured.flatMap(({ line, at, group }) =>
    line === undefined ? [] : [{ line, at, isTakenOver: !group.first.isOfHere }],
  );

// A line is held against the others as they were read: what is corrected after the days of 'prompt' neither makes one that an invented
// line agrees with, nor, where its visit waits since, leaves nothing to compare with.
const isLateCorrection = ({ id, correctsId, calibratedAt }: JudgedReading, { policy, zone }: Rules): boolean =>
  correctsId !== null && daysBetween(todayIn(zone, calibratedAt), todayIn(zone, new Date(id))) > policy.promptDays;

/** Pictures at this Hamming distance of their difference hashes, or a smaller one, count as the same. */
const ALIKE_MAX_DISTANCE = 4;

type Around = {
  hasVinElsewhere: boolean;
  hasSerialElsewhere: boolean;
  /** Nothing but its rego tells it from another truck, and that hardly. */
  hasLookAlike: boolean;
  /** A record with its rego was removed before, and no admin has let a visit of this one count since. */
  isRegisteredAgain: boolean;
  vinBefore: string | null;
  isTicketUsed: boolean;
  isPhotoUsed: boolean;
};

// The entry by which a record was added: by the log, as two clocks may differ.
const addedBy = (id: RawBuilder<unknown>) =>
  sql`coalesce((select min(leaf_index) from record_leaf where record_table = 'vehicle' and record_key = (${id})::text), -1)`;

// What other records have: in one statement, each part by its index.
async function lookAround(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  visit: JudgedVisit,
  { set, zone }: { set: OwnSet | undefined; zone: string },
): Promise<Around> {
  const { ticketNumber = '', weighbridge = '' } = set ?? {};
  const { rows } = await sql<Around>`select
    exists (select from vehicle o where ${vehicle.vin} <> '' and o.vin <> '' and o.vin = ${vehicle.vin}
      and o.id <> ${vehicle.id}::uuid) as has_vin_elsewhere,
    exists (select from vehicle o where o.scale_serial_number <> '' and o.scale_serial_number = ${vehicle.scaleSerialNumber}
      and o.id <> ${vehicle.id}::uuid) as has_serial_elsewhere,
    exists (select from vehicle o where translate(o.rego, 'OILSBZ', '011582') = translate(${vehicle.rego}, 'OILSBZ', '011582')
      and o.deleted_at is null and o.rego <> ${vehicle.rego} and (${vehicle.vin} = '' or o.vin = '')) as has_look_alike,
    exists (select from vehicle o where o.rego = ${vehicle.rego} and o.deleted_at is not null
        and ${addedBy(sql`o.id`)} < ${addedBy(sql`${vehicle.id}::uuid`)})
      and not exists (select from visit lv join visit_decision d on d.visit_id = lv.id
        where lv.vehicle_id = ${vehicle.id}::uuid and d.decision = 'accepted'
          and d.decided_at <= ${visit.openedAt}::timestamptz) as is_registered_again,
    -- One that was corrected and waits since may have counted; it does not stand in for one that counts.
    (select v.vin from visit v, lateral (select v.state in (${sql.join(COUNTING_STATES.map((state) => sql.lit(state)))}) as is_counting) s
      where v.vehicle_id = ${vehicle.id}::uuid and v.id <> ${visit.id}::uuid
      and (s.is_counting or (v.state = 'waits' and exists (select from calibration c
        where c.vehicle_id = v.vehicle_id and c.visit_id = v.id and c.corrects_id is not null)))
      and v.vin <> '' and v.opened_at <= ${visit.openedAt}::timestamptz
      order by s.is_counting desc, v.visited_on desc, v.opened_at desc limit 1) as vin_before,
    exists (select from calibration_set o
      left join visit ov on ov.id = o.id
      where o.ticket_number = ${ticketNumber} and o.ticket_number <> '' and o.id <> ${visit.id}::uuid
        and coalesce(ov.reference_id = ${visit.referenceId}::uuid,
          lower(trim(o.weighbridge)) = lower(trim(${weighbridge})))
        and (o.vehicle_id <> ${vehicle.id}::uuid
          or (o.visited_at at time zone ${zone})::date <> ${visit.visitedOn}::date)) as is_ticket_used,
    exists (select from calibration_set own
        join calibration_set o on photo_bands(o.photo_dhash) && photo_bands(own.photo_dhash) and o.photo_dhash is not null
          and bit_count(o.photo_dhash # own.photo_dhash) <= ${sql.lit(ALIKE_MAX_DISTANCE)} and o.id <> own.id
        where own.id = ${visit.id}::uuid)
      or exists (select from calibration_set own
        cross join unnest(array[own.photo_sha256] || own.more_photo_sha256s) as picture (sha256)
        join calibration_set o on o.id <> own.id
          and (o.photo_sha256 = picture.sha256 or o.more_photo_sha256s @> array[picture.sha256])
        where own.id = ${visit.id}::uuid) as is_photo_used`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for other records returned no row');
  return found;
}

/** The four readings of an axle of a visit. */
export type CompleteAxle = { axle: Axle } & FourReadings;

function completeAxles(own: readonly OwnReading[]): CompleteAxle[] {
  return AXLES.flatMap(({ axle }) => {
    const four = fourIn(readingsByField(own.filter((reading) => reading.axle === axle)));
    return four === undefined ? [] : [{ axle, ...four }];
  });
}
