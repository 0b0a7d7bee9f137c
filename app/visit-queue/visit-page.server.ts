// Everything that an admin needs to decide about one visit.
import { sql, type RawBuilder } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { isDueInTime, mayBeDecided, stateHash, whyNotYours } from '#app/visits/may-decide.server.ts';
import { listCalibrations, listSets, type CalibrationSet } from '#app/readings/queries.server.ts';
import { factText, VISIT_FACTS, type VisitFact } from '#app/readings/visit-fact.ts';
import { capturedWords, groupHistory, photoAddresses } from '#app/visits/history.ts';
import { errorName, errorSentence } from '#app/visits/error-words.ts';
import { errorsOfVisit } from '#app/readings/visit-errors.ts';
import { checkName } from '#app/visits/visit-checks.ts';
import type { CheckResult } from '#app/visits/visit-facts.ts';
import { whyItWaits } from '#app/visits/why-it-waits.ts';
import { reasonWords, stateWord, type Decision } from '#app/visits/visit.ts';
import { checksOf, findVisit, type VisitRow } from '#app/visits/visit-queries.server.ts';
import { patternsSeen } from '#app/patterns/patterns-seen.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, formatInstant, todayIn } from '#app/platform/time/calendar.ts';
import { addedAfter } from '#app/people/newcomer.ts';
import { addedDaysAt, hasOtherAdmin } from '#app/people/two-people.server.ts';
import { findReference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { fileUrl } from '#app/vehicles/public-vehicle.server.ts';
import { findVehicleById, listVehicleFiles } from '#app/vehicles/queries.server.ts';
import { linesOf } from './visit-lines.server.ts';
import { ifAccepted, verdictThen } from './verdict-then.server.ts';
import { SINCE } from './waits-since.server.ts';
import { shownCheckVisit } from '#app/check-visits/office/shown-check-visit.server.ts';

const SHARE_DAYS = 365;
/** Of everybody's visits the newest so many are counted: all of a year would take seconds in a large registry. */
const EVERYBODY_MAX = 5000;

export type Share = { waited: number; total: number };
export type ShownCheck = CheckResult & { name: string };
export type VisitPage = NonNullable<Awaited<ReturnType<typeof visitPage>>>;
type Fact = { label: string; value: string };

/** Undefined: there is no such visit. */
export async function visitPage(services: Services, who: SignedIn, id: string) {
  const { db, config, now } = services;
  if (!isUuid(id)) return undefined;
  const { policy, since } = await policyAndLogSize(db);
  const visit = await findVisit(db, id);
  const vehicle = visit === undefined ? undefined : await findVehicleById(db, visit.vehicleId);
  if (visit === undefined || vehicle === undefined || visit.state === 'taken-over') return undefined;
  const zone = config.timeZone;
  const today = todayIn(zone, now());
  const readings = await listCalibrations(db, vehicle.id);
  const sets = await listSets(db, vehicle.id);
  const set = sets.find((one) => one.id === id);
  const own = readings.filter(({ visitId }) => visitId === id);
  const named = await namedReference(db, visit);
  const isAlone = !(await hasOtherAdmin(db, who.personId));
  const notYours = isAlone ? null : ((await whyNotYours(db, who, { visit, now: now() })) ?? null);
  const isLive = vehicle.deletedAt === null;
  const mayAccept = isLive && mayBeDecided(visit, 'accepted');
  const isInTime = isDueInTime(visit);
  const accepted = await ifAccepted(db, vehicle, visit);
  const files = await listVehicleFiles(db, vehicle.id);
  const certificate = files.find(({ role }) => role === 'certificate');
  return {
    since,
    id,
    rego: vehicle.rego,
    state: visit.state,
    stateWord: stateWord(visit.state),
    // What the page shows, for its form.
    openedAs: stateHash(visit),
    title: `Visit of ${formatInstant(visit.visitedAt, zone)}`,
    recorded: recordedWords(visit, zone),
    technician: visit.technicianName ?? 'N/A',
    now: verdictThen(vehicle, today, policy),
    ifAccepted: mayAccept && isInTime ? verdictThen(accepted, today, policy) : null,
    // Those that hold it back first, then what failed and is only noted.
    checks: shownChecks(visit),
    held: visit.state === 'waits' ? whyItWaits({ ...visit, checks: checksOf(visit.checks) }) : [],
    policyVersion: visit.policyVersion,
    ...(await linesOf(db, visit, { readings, sets, details: detailsIn(vehicle.groupDetails), policy, zone })),
    rows: groupHistory(own, zone, { sets }).flatMap(({ rows }) => rows),
    asFound: (set?.axles ?? []).flatMap(({ axle, as_found_empty: empty, as_found_loaded: loaded }) =>
      empty === null && loaded === null ? [] : [{ axle: axleLabel(axle), empty, loaded }],
    ),
    facts: [
      ...factsOf(set, { reference: named?.line, sender: visit.technicianName }, zone),
      ...errorsOfVisit(id, named?.intervalKg ?? null, { readings, sets, policy }).map((told) => ({
        label: `Error, ${errorName(told)}`,
        value: errorSentence(told),
      })),
    ],
    // It names a weighbridge, or could, and the register may have it.
    isMatchable: isLive && set !== undefined && visit.state !== 'open',
    certificate: certificate === undefined ? null : fileUrl(certificate),
    photos: photoAddresses(set),
    // The day on which it was hidden.
    photoHiddenOn: set?.photoHiddenAt == null ? null : formatDay(todayIn(zone, set.photoHiddenAt)),
    share: visit.personId === null ? null : await shareOf(db, visit.personId, now()),
    checkVisit: await shownCheckVisit(db, who, { visit, vehicle, zone }),
    // What it adds to patterns by itself: the name of each, and its numbers.
    patterns: notYours === null ? await patternsSeen(services, who, id) : [],
    decisions: await decisionsOf(db, id, zone),
    may: { accept: mayAccept && isInTime, setAside: isLive && mayBeDecided(visit, 'set-aside') },
    // It could be accepted, but for its due date.
    needsDueDate: mayAccept && !isInTime,
    notYours,
    isAlone,
    next: await nextWaiting(db, visit),
    idempotencyKey: newIdempotencyKey(),
  };
}

const WEIGHTS = { failed: 0, 'cannot be told': 1, passed: 4 };

function shownChecks(visit: VisitRow): ShownCheck[] {
  const weight = ({ answer, rule }: CheckResult) => WEIGHTS[answer] + (rule === 'must' ? 0 : 2);
  return checksOf(visit.checks)
    .map((result) => ({ ...result, name: checkName(result.check) }))
    .toSorted((a, b) => weight(a) - weight(b));
}

function recordedWords({ openedAt, visitedAt }: VisitRow, zone: string): string {
  const minutes = Math.round((openedAt.getTime() - visitedAt.getTime()) / 60_000);
  if (minutes <= 0) return 'Recorded at the visit';
  if (minutes < 120) return `Recorded ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} later`;
  return `Recorded on ${formatInstant(openedAt, zone)}`;
}

// As the register names it.
async function namedReference(
  db: Db,
  { referenceId }: VisitRow,
): Promise<{ line: string; intervalKg: number | null } | undefined> {
  const reference = referenceId === null ? undefined : await findReference(db, referenceId);
  return reference === undefined ? undefined : { line: referenceLine(reference), intervalKg: reference.intervalKg };
}

function shownFact(fact: VisitFact, set: CalibrationSet): Fact[] {
  const text = factText(fact, set[fact.column] ?? '');
  const value = text === '' && 'none' in fact.shown ? fact.shown.none : text;
  return value === '' ? [] : [{ label: fact.shown.label, value }];
}

function factsOf(
  set: CalibrationSet | undefined,
  { reference, sender }: { reference: string | undefined; sender: string | null },
  zone: string,
): Fact[] {
  if (set === undefined) return [];
  const changed = set.axles.flatMap(({ axle, sensor_replaced: isReplaced, other_trailer: isOther }) => [
    ...(isReplaced ? [`sensor of ${axleLabel(axle)} replaced`] : []),
    ...(isOther ? [`${axleLabel(axle)} of another trailer`] : []),
  ]);
  const captured = capturedWords(set, zone);
  return [
    ...VISIT_FACTS.flatMap((fact) => shownFact(fact, set)),
    ...(reference === set.weighbridge ? [] : [{ label: 'In the register', value: reference ?? 'Not found' }]),
    ...(set.capturedBy === null
      ? []
      : [{ label: 'Captured by', value: `${set.capturedBy}, sent by ${sender ?? 'N/A'}` }]),
    ...(captured === '' ? [] : [{ label: 'Sent later', value: captured }]),
    { label: 'Changed', value: changed.length === 0 ? 'Nothing said to be' : changed.join('; ') },
    ...(set.notes === '' ? [] : [{ label: 'Notes', value: set.notes }]),
  ];
}

// Of the visits that the person closed within a year, and of everybody's, how many the checks held back.
async function shareOf(db: Db, personId: string, now: Date): Promise<{ own: Share; everybody: Share }> {
  const since = new Date(now.getTime() - SHARE_DAYS * 24 * 3_600_000);
  const of = async (whose: RawBuilder<unknown>) => {
    const { rows } = await sql<Share>`select count(*) filter (where judged = 'waits') as waited, count(*) as total
      from (select judged from visit where closed_at > ${since} and judged is not null ${whose}) v`.execute(db);
    return rows[0] ?? { waited: 0, total: 0 };
  };
  return {
    own: await of(sql`and technician_id in (select id from actor where person_id = ${personId})`),
    everybody: await of(sql`order by closed_at desc limit ${EVERYBODY_MAX}`),
  };
}

const DECIDED: Record<Decision, string> = { accepted: 'Accepted', 'set-aside': 'Set aside' };

async function decisionsOf(db: Db, visitId: string, zone: string) {
  const rows = await db
    .selectFrom('visitDecision')
    .innerJoin('actor', 'actor.id', 'visitDecision.decidedBy')
    .select(['decision', 'reason', 'note', 'isAlone', 'decidedAt', 'actor.name'])
    .select(sql.raw<number | null>(addedDaysAt('actor.person_id', 'decided_at')).as('addedDays'))
    .where('visitId', '=', visitId)
    .orderBy('visitDecision.id', 'desc')
    .execute();
  return rows.map(({ decision, reason, note, isAlone, decidedAt, name, addedDays }) => ({
    words: `${DECIDED[decision]} by ${name}${addedAfter(addedDays)}, ${formatInstant(decidedAt, zone)}`,
    reason: reasonWords(reason),
    note,
    alone: isAlone,
  }));
}

// The visit that waits next after this one, the first again after the last; null if none does.
async function nextWaiting(db: Db, { id, closedAt }: VisitRow): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (select v.id, ${SINCE} as since from visit v join vehicle ve on ve.id = v.vehicle_id
      where v.state = 'waits' and ve.deleted_at is null)
    select w.id from waiting w where w.id <> ${id}::uuid
      order by (w.since, w.id) > (coalesce((select since from waiting where id = ${id}::uuid), ${closedAt}::timestamptz),
        ${id}::uuid) desc, w.since, w.id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
