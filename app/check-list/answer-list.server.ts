// Answers a list of trucks: one answer for each line, in the order of the list. Nothing of the list is stored.
//
// A line is a whole rego or a whole VIN. What is neither is answered by regos that look like it or contain it, never by
// a verdict: nobody must load a truck by the verdict of another.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  recordsOfEvidence,
  SHORT_EVIDENCE,
  shortEvidence,
  type FoundShortEvidence,
} from '#app/visits/short-evidence.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { plainText } from '#app/platform/process/typed-text.ts';
import { fewAtOnce } from '#app/platform/process/few-at-once.server.ts';
import { hasFindings, keepFound } from '#app/transparency-log/history-checks.server.ts';
import type { PastDay } from '#app/transparency-log/past-day.server.ts';
import { asOf } from '#app/transparency-log/records-at.server.ts';
import { recordName, stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { foundIn, mismatchedRecords } from '#app/transparency-log/record-states.server.ts';
import { listBearers } from '#app/vehicles/choose-rego.server.ts';
import { nearRegos } from '#app/vehicles/near-regos.server.ts';
import { findFormers, type Former } from '#app/vehicles/plates.server.ts';
import { untilWords } from '#app/vehicles/plates.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { regoMark, regosAlike, withoutZeros } from '#app/vehicles/rego-mark.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { BY_POLICY, shownPolicy } from '#app/policy/queries.server.ts';
import { readRegos } from '#app/vehicles/read-rego.server.ts';
import {
  normaliseSearch,
  parseRego,
  REGO_MAX_LENGTH,
  VIN_MAX_LENGTH,
  type SetOffState,
} from '#app/vehicles/vehicle.ts';
import { isDueInForce, judge, verdictFacts } from '#app/vehicles/verdict.ts';
import type { GivenLine, LineAnswer, Said } from './line-answer.ts';

// Small batches with a rest between them let searches pass. Measured with a million vehicles: 95 of 100 searches beside
// a list of 10,000 lines within 33 ms, and 66 with batches of 250; the list takes 4.7 s in place of 4.5.
const LINES_AT_ONCE = 50;
const BATCHES_AT_ONCE = 2;
const REST_MS = 3;
// Of all lists together: one more takes its turn with the others, and not from the searches.
const { inTurn } = fewAtOnce(BATCHES_AT_ONCE);
/** So many lines that name no truck are looked up by what they resemble or contain. */
const LOOKED_UP_MAX = 100;
/** Shorter ones are contained in too many. */
const CONTAINED_FROM = 4;
const REGOS_SHOWN = 3;

/** The answers in batches, as at `today`, or as at the end of a day that is over. */
export async function* answerList(
  db: Db,
  lines: readonly GivenLine[],
  asAt: string | PastDay,
): AsyncGenerator<LineAnswer[], void, void> {
  const firstLine = new Map<string, number>();
  const [today, past] = typeof asAt === 'string' ? [asAt, undefined] : [asAt.day, asAt];
  // What resembles a rego, or was one before, is known of today only.
  let lookedUp = past === undefined ? 0 : LOOKED_UP_MAX;
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    if (from > 0) await pause(REST_MS);
    const batch = lines.slice(from, from + LINES_AT_ONCE);
    const read = await readLines(db, batch);
    const needles = read.flatMap(({ needle, several: regos = [] }) => [needle ?? [], ...regos].flat());
    const found = await inTurn(() => findTrucks(db, needles, past));
    const unknown = [...new Set(needles.filter((needle) => !found.has(needle)))];
    const formers = await inTurn(() => findFormers(db, past === undefined ? unknown : []));
    const renamed = await inTurn(() => findTrucks(db, [...new Set([...formers.values()].map(({ now }) => now))]));
    const missing = unknown.filter((needle) => !formers.has(needle));
    const resembled = missing.slice(0, LOOKED_UP_MAX - lookedUp);
    lookedUp += resembled.length;
    const lookedUpNow = await inTurn(() => lookAround(db, past === undefined ? missing : [], resembled));
    const alike = await inTurn(() =>
      regosAlike(
        db,
        read.flatMap(({ needle }) => needle ?? []),
      ),
    );
    yield read.map(({ line, needle = '', without, several: regos, ...given }): LineAnswer => {
      const mark = line.isKept === true || line.isHeading ? undefined : regoMark(line.text, alike);
      const about = { number: line.number, asked: line.text, ...(mark === undefined ? {} : { changed: mark }) };
      if ('kind' in given) return { ...about, ...given };
      const former = formers.get(needle);
      const trucks =
        former === undefined
          ? (regos ?? [needle]).flatMap((rego) => found.get(rego) ?? [])
          : (renamed.get(former.now) ?? []);
      const [truck, other] = trucks;
      // A day and month is no plate as it stands: nobody loads a truck by the verdict of what it may have been.
      if (mark !== undefined && truck !== undefined && isRewritten(line.text, truck))
        return { ...about, ...notFound([...new Set(trucks.map(({ rego }) => rego))].slice(0, REGOS_SHOWN)) };
      if (truck === undefined) {
        const longer = mark === undefined ? [] : (alike.get(withoutZeros(needle)) ?? []).slice(0, REGOS_SHOWN);
        return {
          ...about,
          ...(longer.length > 0 ? notFound([...longer]) : (lookedUpNow.get(needle) ?? notFound([]))),
        };
      }
      if (other !== undefined) return { ...about, ...several(trucks.length, trucks) };
      const first = firstLine.get(truck.id) ?? line.number;
      firstLine.set(truck.id, first);
      const sameAs = first === line.number ? null : first;
      return { ...about, ...presentTruck(truck, { needle, without, former }, today), sameAs };
    });
  }
}

/** `several`: the regos of those that have the text, where it does not say which. */
type Named = { needle: string; without?: SetOffState | undefined; several?: readonly string[] | undefined };
type Needle =
  | Named
  | ({ needle?: undefined; without?: undefined; several?: undefined } & (
      | { kind: 'heading'; states?: string }
      | { kind: 'empty' }
      | { kind: 'unreadable'; why: string }
    ));

// `without`: what is left where the state was dropped.
async function readLines(db: Db, lines: readonly GivenLine[]): Promise<({ line: GivenLine } & Needle)[]> {
  const regos = await readRegos(
    db,
    lines.map(({ text }) => text),
  );
  return lines.map((line, place) => {
    const named = needleOf(line);
    const rego = regos[place];
    if (named.needle === undefined || rego?.ok !== true) return { line, ...named };
    return { line, needle: rego.rego, without: rego.without, several: rego.several };
  });
}

const isRewritten = (text: string, { rego, needle }: Truck): boolean =>
  ![rego, needle].includes(text.normalize('NFKC').toUpperCase());

/**
 * What a line names: a rego or a VIN in capitals and without spaces, or why it names none. `without`: what it may be
 * without a state.
 */
export function needleOf({ text, isHeading, states }: GivenLine): Needle {
  if (isHeading) return { kind: 'heading', ...(states === undefined ? {} : { states }) };
  if (text === '') return { kind: 'empty' };
  const parsed = parseRego(text);
  if (parsed.ok && parsed.without !== undefined) return { needle: parsed.rego, without: parsed.without };
  const plain = plainText(text);
  const wrong = /[^A-Za-z0-9\s.\-\u2010-\u2015\u2212\ufe58\ufe63]/u.exec(plain)?.[0];
  if (wrong !== undefined) return { kind: 'unreadable', why: `“${wrong}” cannot be in a rego or a VIN` };
  const squeezed = plain.replaceAll(/[^A-Za-z0-9]/g, '');
  if (squeezed === '') return { kind: 'empty' };
  return squeezed.length > VIN_MAX_LENGTH
    ? { kind: 'unreadable', why: `It has ${squeezed.length} letters and digits, and a VIN at most ${VIN_MAX_LENGTH}` }
    : { needle: normaliseSearch(text) };
}

type Truck = {
  needle: string;
  id: string;
  rego: string;
  calibrationValidated: boolean;
  restsOn: string;
  nextCalibrationDueOn: string | null;
  lastCalibratedAt: Date | null;
  evidence: FoundShortEvidence;
  record: RecordState;
  hasFindings: boolean;
  policyVersion: number | null;
  dueSoonDays: number | null;
};
type CheckedTruck = Truck & { matchesLog: boolean };

// Whole regos and whole VINs, by their indexes. A truck whose rego is another's VIN is one of several.
async function findTrucks(db: Db, needles: readonly string[], past?: PastDay): Promise<Map<string, CheckedTruck[]>> {
  if (needles.length === 0) return new Map();
  const statement = sql<Truck>`
    with asked as (select distinct needle from unnest(${needles}::text[]) needle),
    hit as (
      select asked.needle, vehicle.id from asked join vehicle on vehicle.rego = asked.needle and vehicle.deleted_at is null
      union
      select asked.needle, vehicle.id from asked join vehicle on vehicle.vin = asked.needle and vehicle.vin <> ''
        and known_vin(asked.needle) <> '' and vehicle.deleted_at is null)
    select hit.needle, v.id, v.rego, v.calibration_validated, v.rests_on, v.next_calibration_due_on, v.last_calibrated_at,
      ${SHORT_EVIDENCE} as evidence, (select ${stateOf('vehicle')} from vehicle t where t.id = v.id) as record,
      ${hasFindings(sql`v.id`)} as has_findings, p.version as policy_version, p.due_soon_days
    from hit join vehicle v on v.id = hit.id ${BY_POLICY}
    order by hit.needle, v.rego`;
  const { rows } = await (past === undefined ? statement : asOf(statement, { ...past, names: needles })).execute(db);
  const names = await mismatchedRecords(
    db,
    rows.flatMap(({ record, evidence }) => [record, ...recordsOfEvidence(evidence)]),
  );
  for (const { rego, record, evidence, hasFindings: isKept } of names.size === 0 ? [] : rows)
    if (!isKept) await keepFound(db, rego, foundIn(names, [record, ...recordsOfEvidence(evidence)]));
  const checked = rows.map((row) => ({
    ...row,
    matchesLog:
      !row.hasFindings &&
      ![row.record, ...recordsOfEvidence(row.evidence)].some((state) => names.has(recordName(state))),
  }));
  return Map.groupBy(checked, ({ needle }) => needle);
}

type Asked = { needle: string | undefined; without: SetOffState | undefined; former: Former | undefined };

function presentTruck(truck: CheckedTruck, { needle, without, former }: Asked, today: string) {
  const { rego, matchesLog, nextCalibrationDueOn: dueOn, evidence, hasFindings: found } = truck;
  const mismatch = found ? 'An older record does not match the log' : 'What is stored is not what was logged';
  return {
    kind: 'found' as const,
    rego,
    verdict: judge(verdictFacts(truck), today, shownPolicy(truck)).verdict,
    matchesLog,
    dueOn: isDueInForce(truck) ? dueOn : null,
    restsOn: matchesLog ? shortEvidence(truck, evidence) : mismatch,
    byVin: former === undefined && needle !== rego,
    without: without?.state,
    formerly: former === undefined ? undefined : `${plateText(former.rego)}, ${untilWords(former)}`,
  };
}

type Around = Extract<Said, { kind: 'several' | 'not-found' }>;

const notFound = (near: string[], removedAt: Date | null = null): Around => ({ kind: 'not-found', near, removedAt });
const inOther = (rego: string, state: string): Around => ({
  kind: 'not-found',
  near: [rego],
  removedAt: null,
  in: state,
});

const several = (total: number, trucks: readonly { rego: string }[]): Around => ({
  kind: 'several',
  total,
  regos: trucks.slice(0, REGOS_SHOWN).map(({ rego }) => rego),
});

// `resembled`: those of `missing` that are also looked up by what they resemble or contain.
async function lookAround(
  db: Db,
  missing: readonly string[],
  resembled: readonly string[],
): Promise<Map<string, Around>> {
  const answers = new Map<string, Around>();
  if (missing.length === 0) return answers;
  const removed = await db
    .selectFrom('vehicle')
    .select(({ fn }) => ['rego', fn.max('deletedAt').as('removedAt')])
    .where('rego', '=', sql<string>`any(${missing}::text[])`)
    .where('deletedAt', 'is not', null)
    .groupBy('rego')
    .execute();
  for (const { rego, removedAt } of removed) answers.set(rego, notFound([], removedAt));
  for (const needle of resembled.filter((one) => one.includes('-'))) {
    const [bearer] = await listBearers(db, plateText(needle));
    if (bearer !== undefined) answers.set(needle, inOther(bearer.rego, bearer.plateState));
  }
  const near = await nearRegos(
    db,
    resembled.filter((needle) => needle.length <= REGO_MAX_LENGTH),
  );
  for (const needle of resembled) {
    if (answers.has(needle)) continue;
    const regos = near.get(needle) ?? [];
    const containing =
      regos.length > 0 || needle.length < CONTAINED_FROM ? undefined : await searchVehicles(db, needle, 1);
    answers.set(
      needle,
      containing === undefined || containing.total === 0
        ? notFound(regos)
        : several(containing.total, containing.items),
    );
  }
  return answers;
}
