// What the checks need to know of a visit, read at the moment when it closes, or before it is saved.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { addDays, daysBetween, instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { admissionsOf } from '#app/people/admissions.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { axleGroupsOf, AXLES, type Axle } from '#app/vehicles/axle.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import type { VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import { isOtherVin } from '#app/vehicles/vin-typed-wrong.server.ts';
import { measureAxles, type MeasuredSet } from '#app/readings/axle-lines.ts';
import { fourIn } from '#app/readings/calibration-line.ts';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { groupReadings, readingsByField } from '#app/readings/calibration-set.ts';
import type { CompleteAxle } from './find-copies.server.ts';
import { lookAround, type Around, type JudgedVisit, type OwnSet } from './look-around.server.ts';
import { historyToJudge, type JudgedHistory, type JudgedReading } from '#app/readings/queries.server.ts';
import { lastWeighedOn, LOADS, loadChecks, weighingsCorrected, weighingsIn } from '#app/readings/weighings.ts';
import { ticketsOf } from './tickets.server.ts';
import { referenceFacts } from './reference-facts.server.ts';
import type { LineBefore, VisitAxle, VisitFacts } from './visit-facts.ts';
import { OPEN_MS } from './visit.ts';
import type { VisitRow } from './visit-queries.server.ts';

const OLDER_DAYS = 90;

type Rules = { policy: Policy; zone: string };
/** What was before the visit on an axle. */
type Before = Pick<VisitAxle, 'before' | 'emptyBefore'>;
type OwnReading = Pick<JudgedReading, 'axle' | 'attribute' | 'value' | 'unit' | 'sides' | 'dueOn'> &
  Partial<Pick<JudgedReading, 'correctsId'>>;

/** The facts of `visit`, a visit of the locked `vehicle`, and its complete axles. `zone`: the registry's. */
export async function visitFacts(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  { visit, rules }: { visit: VisitRow; rules: Rules },
): Promise<{ facts: VisitFacts; axles: CompleteAxle[] }> {
  const ownOf = ({ readings }: JudgedHistory) =>
    readings.filter(({ visitId, supersededBy }) => visitId === visit.id && supersededBy === null);
  // An older visit may be held against the checks again.
  const { history, before } = await readBefore(tx, visit, {
    ownOf,
    rules,
    readings: visit.state === 'open' ? 'newest' : 'all',
  });
  const own = ownOf(history);
  const set = history.sets.find(({ id }) => id === visit.id);
  return {
    // A closed visit is judged by the VIN of then.
    facts: await factsOf(tx, vehicle, {
      visit: visit.state === 'open' ? { ...visit, vin: vehicle.vin } : visit,
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
  { visit, own, set, ...rules }: { visit: JudgedVisit } & { own: readonly OwnReading[]; set: OwnSet } & Rules,
): Promise<VisitFacts> {
  const { before } = await readBefore(db, visit, { ownOf: () => own, rules, readings: 'newest' });
  return factsOf(db, vehicle, { visit, own, set, before, zone: rules.zone });
}

// The lines before a visit. Those of the newest one are nearly always among the newest readings; if not, all are read.
async function readBefore(
  tx: Db | Tx,
  visit: JudgedVisit,
  {
    ownOf,
    rules,
    readings,
  }: { ownOf: (history: JudgedHistory) => readonly OwnReading[]; rules: Rules; readings: 'newest' | 'all' },
): Promise<{ history: JudgedHistory; before: Map<Axle, Before> }> {
  if (readings === 'newest') {
    const since = instantOfDay(addDays(visit.visitedOn, -OLDER_DAYS), rules.zone);
    const history = await historyToJudge(tx, visit.vehicleId, since);
    const axles = new Set(ownOf(history).map(({ axle }) => axle));
    const before = linesBefore(visit, history, { axles, ...rules });
    if (before !== undefined) return { history, before };
  }
  const history = await historyToJudge(tx, visit.vehicleId);
  const axles = new Set(ownOf(history).map(({ axle }) => axle));
  return { history, before: linesBefore(visit, history, { axles, ...rules }) ?? new Map() };
}

async function factsOf(
  tx: Db | Tx,
  vehicle: VehicleOfVisit,
  {
    visit,
    own,
    set,
    before,
    zone,
  }: {
    visit: JudgedVisit;
    own: readonly OwnReading[];
    set: OwnSet | undefined;
    before: ReadonlyMap<Axle, Before>;
    zone: string;
  },
): Promise<VisitFacts> {
  const recordedOn = todayIn(zone, visit.openedAt);
  const found = await lookAround(tx, vehicle, { visit, set, zone, axles: completeAxles(own) });
  const details = detailsIn(vehicle.groupDetails);
  const weighings = weighingsIn(set?.weighings ?? null);
  const weighedOn = lastWeighedOn(weighings);
  const days = own.flatMap(({ dueOn }) => dueOn ?? []).toSorted();
  return {
    visitedOn: visit.visitedOn,
    recordedOn,
    ...(weighedOn === undefined ? {} : { weighedOn }),
    dueOn: days[0] ?? null,
    axles: axlesOfVisit(own, set?.axles).map((one) => ({
      ...one,
      ...before.get(one.axle),
      reference: referenceOf(one.axle, details[one.axle]),
    })),
    copied: found.copied,
    fitted: await fittedOf(tx, vehicle, { now: visit.openedAt, zone }),
    notBehind: axleGroupsOf(set?.notBehind ?? ''),
    isConfirmed: visit.isConfirmed,
    elsewhere: [
      ...(found.hasVinElsewhere ? (['VIN'] as const) : []),
      ...(found.hasSerialElsewhere ? (['scale serial number'] as const) : []),
      ...(found.hasLookAlike ? (['rego, but for characters that look alike'] as const) : []),
      ...(found.isRegisteredAgain ? (['rego (that record was removed)'] as const) : []),
      ...(found.wasPlateAnothers ? (['plate, within the last 24 months'] as const) : []),
    ],
    hasNewVin:
      found.vinBefore !== null && (await isOtherVin(tx, vehicle.id, { before: found.vinBefore, now: visit.vin })),
    technician: visit.personId === null ? null : await admissionsOf(tx, visit.personId, zone),
    ...(found.captor === null ? {} : { captor: (await admissionsOf(tx, found.captor, zone)) ?? [] }),
    reference: await referenceFacts(tx, visit, set),
    ticket: ticketsOf(set, null).length === 0 ? null : { isUsedTwice: found.isTicketUsed },
    loadChecks: loadChecks(weighingsCorrected(weighings, correctedWeights(own))),
    photo: set === undefined || set.photoId === null ? null : { isUsedTwice: found.isPhotoUsed },
    ...sealsOf(set, found.sealsBefore),
  };
}

const correctedWeights = (own: readonly OwnReading[]) =>
  LOADS.flatMap(({ load, label }) =>
    own.flatMap(({ axle, attribute, value, correctsId = null }) =>
      attribute === `${label} Weight` && correctsId !== null && value !== ''
        ? [{ load, axle, kg: Math.round(Number(value)) }]
        : [],
    ),
  );

function sealsOf(set: OwnSet | undefined, before: Around['sealsBefore']): Pick<VisitFacts, 'seals'> {
  const { sealsFound: found = '', sealsReason: reason = '' } = set ?? {};
  return found === '' && (before?.left ?? '') === '' ? {} : { seals: { found, reason, before } };
}

/**
 * The axles of a visit by its readings, without the lines before them. `extras`: of its set. A replaced sensor goes
 * before another trailer.
 */
export function axlesOfVisit(
  readings: readonly Pick<OwnReading, 'axle' | 'attribute' | 'value' | 'unit' | 'sides'>[],
  extras: OwnSet['axles'] = [],
): VisitAxle[] {
  const byAxle = Map.groupBy(readings, ({ axle }) => axle);
  return AXLES.flatMap(({ axle }): VisitAxle[] => {
    const own = byAxle.get(axle);
    if (own === undefined) return [];
    const extra = extras.find((one) => one.axle === axle);
    const sides = own.flatMap((one) => one.sides ?? []);
    const { as_found_empty: empty = null, as_found_loaded: loaded = null } = extra ?? {};
    return [
      {
        axle,
        readings: readingsByField(own),
        before: [],
        ...(sides.length === 0 ? {} : { sides }),
        ...(empty === null || loaded === null ? {} : { asFound: { empty, loaded } }),
        ...(extra?.other_trailer === true ? { begins: 'other-trailer' } : {}),
        ...(extra?.sensor_replaced === true ? { begins: 'sensor-replaced' } : {}),
      },
    ];
  });
}

/**
 * Of each of `axles` the last line that counts, and the newest one at least 90 days older than the visit. Undefined:
 * the history may begin too late to tell.
 *
 * A reading that is left out was recorded before `from`, so measured before; no visit lasts longer than it may be open.
 * So what was measured later than that is whole here, and is what the whole history would give; but who is meant by a
 * name alone may show in an older reading.
 */
function linesBefore(
  visit: JudgedVisit,
  { readings, from, isOfHereBefore, sets }: JudgedHistory,
  { axles, policy, zone }: { axles: ReadonlySet<Axle> } & Rules,
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
  const seriesOf = (those: readonly JudgedReading[]) =>
    measureAxles(groupReadings(those), sets, { tolerance: policy, details: {} });
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
    const older = comparable.findLast(({ at }) => todayIn(zone, at) <= oldest);
    const weighed = measured.findLast(({ group, four }) => group.first.isOfHere && four !== undefined);
    if (from > 0 && ((begin < 0 && older === undefined) || (weighed === undefined && isOfHereBefore))) return undefined;
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

// A line is held against the others as they were read: what is corrected after the days of 'prompt' neither makes one
// that an invented line agrees with, nor, where its visit waits since, leaves nothing to compare with.
const isLateCorrection = ({ id, correctsId, calibratedAt }: JudgedReading, { policy, zone }: Rules): boolean =>
  correctsId !== null && daysBetween(todayIn(zone, calibratedAt), todayIn(zone, new Date(id))) > policy.promptDays;

function completeAxles(own: readonly OwnReading[]): CompleteAxle[] {
  return AXLES.flatMap(({ axle }) => {
    const four = fourIn(readingsByField(own.filter((reading) => reading.axle === axle)));
    return four === undefined ? [] : [{ axle, ...four }];
  });
}
