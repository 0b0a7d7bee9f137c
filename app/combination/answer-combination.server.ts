// Answers units that are coupled: with what /check says of each, and with what their records say of the combination. A
// unit whose visit is not what was logged has no answer: another could rest on it.
import { sql } from 'kysely';
import { askedDay } from '#app/check-list/asked-day.server.ts';
import { answerList, needleOf } from '#app/check-list/answer-list.server.ts';
import type { GivenLine, LineAnswer } from '#app/check-list/line-answer.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { weighedWith } from '#app/readings/weighed-with.server.ts';
import { keepFound } from '#app/transparency-log/history-checks.server.ts';
import type { PastDay } from '#app/transparency-log/past-day.server.ts';
import { asOf } from '#app/transparency-log/records-at.server.ts';
import { recordName, stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { mismatchedRecords } from '#app/transparency-log/record-states.server.ts';
import { ofRulingVisit } from '#app/transparency-log/ruling-visit.server.ts';
import { withoutSerials } from '#app/vehicles/group-details.ts';
import { readRegos } from '#app/vehicles/read-rego.server.ts';
import { judgeUnits, UNITS_MAX, type JudgedUnit } from './combination.ts';
import { presentCombination, type ReadUnit, type RecordOfUnit, type ShownCombination } from './present-combination.ts';

const UNIT_MAX_LENGTH = 60;

/** A text that was asked for, and why it cannot be. */
export type Given = { text: string; error: string };

export type AnsweredCombination = { given: Given[] } & (
  | { ok: true; units: JudgedUnit<ReadUnit>[]; shown: ShownCombination; moment: Date; today: string }
  | { ok: false; error: string }
);

/** What a form or an address asks for: empty fields are none, and a pasted list is several. */
export const unitsAsked = (query: URLSearchParams): string[] =>
  query
    .getAll('unit')
    .flatMap((text) => text.split(/[,;\n\t]/))
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** The address of a combination. `on`: the day that is asked for; '': today. */
export const addressOf = (texts: readonly string[], on: string, file = ''): string => {
  const units = texts.map((text): [string, string] => ['unit', text]);
  return `/combination${file}?${new URLSearchParams(on === '' ? units : [...units, ['on', on]]).toString()}`;
};

/** The answer to the units of an address; undefined: it asks for none. */
export async function answerCombination(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  texts: readonly string[],
  on = '',
): Promise<AnsweredCombination | undefined> {
  const { db, config } = services;
  if (texts.length === 0) return undefined;
  const tooLong = (text: string) => (text.length > UNIT_MAX_LENGTH ? 'This is too long for a rego or a VIN.' : '');
  const given = texts.map((text): Given => ({ text: text.slice(0, 10 * UNIT_MAX_LENGTH), error: tooLong(text) }));
  if (texts.length > UNITS_MAX)
    return { ok: false, given, error: `A combination has at most ${UNITS_MAX} units; these are ${texts.length}.` };
  if (given.some(({ error }) => error !== '')) return { ok: false, given, error: '' };
  const zone = config.timeZone;
  const day = await askedDay(services, on, texts.length);
  if ('refusal' in day) return { ok: false, given, error: day.refusal };
  const { at, moment, words: asAt } = day;
  const today = todayIn(zone, moment);
  const { policy, since } = await policyAndLogSize(db, typeof at === 'string' ? undefined : at);
  const { units, twice } = await readCombination(db, texts, at);
  const why = new Map(
    units.flatMap(({ answer }) => (answer.kind === 'unreadable' ? [[answer.asked, answer.why]] : [])),
  );
  return {
    ok: true,
    given: given.map(({ text }) => ({ text, error: why.has(text) ? `${why.get(text)}.` : '' })),
    units,
    moment,
    today,
    shown: presentCombination(units, twice, {
      moment: { today, dayOf: (instant) => todayIn(zone, instant) },
      since,
      asAt,
      isPast: day.on !== '',
      policyVersion: policy.version,
    }),
  };
}

type Row = RecordOfUnit & { rego: string; set: RecordState | null };

async function readCombination(
  db: Db,
  texts: readonly string[],
  at: string | PastDay,
): Promise<{ units: JudgedUnit<ReadUnit>[]; twice: string[] }> {
  const lines = texts.map((text, place): GivenLine => ({ number: place + 1, text, isHeading: false }));
  const answers: LineAnswer[] = [];
  for await (const batch of answerList(db, lines, at)) answers.push(...batch);
  const regos = await namesOf(db, lines, answers);
  const rows = await readRecords(
    db,
    answers.flatMap((answer) => (answer.kind === 'found' ? [answer.rego] : [])),
    typeof at === 'string' ? undefined : at,
  );
  const altered = await alteredSets(db, rows);
  const units = answers.map((given, place): ReadUnit => {
    const rego = regos[place] ?? '';
    if (given.kind !== 'found') return { rego, answer: given, record: null };
    const record = rows.get(given.rego) ?? null;
    const matchesLog = given.matchesLog && record !== null && !altered.has(given.rego);
    const restsOn = matchesLog || !given.matchesLog ? given.restsOn : 'What is stored is not what was logged';
    return { rego, answer: { ...given, matchesLog, restsOn, sameAs: null }, record };
  });
  const isFirst = (place: number) => regos.indexOf(regos[place] ?? '') === place;
  return {
    units: judgeUnits(units.filter((_, place) => isFirst(place))),
    twice: [...new Set(regos.filter((_, place) => !isFirst(place)))],
  };
}

// The rego that each text names; of what is no rego the text itself.
async function namesOf(db: Db, lines: readonly GivenLine[], answers: readonly LineAnswer[]): Promise<string[]> {
  const read = await readRegos(
    db,
    lines.map(({ text }) => text),
  );
  return lines.map((line, place) => {
    const [answer, rego] = [answers[place], read[place]];
    if (answer?.kind === 'found') return answer.rego;
    return rego?.ok === true ? rego.rego : (needleOf(line).needle ?? line.text);
  });
}

async function readRecords(db: Db, regos: readonly string[], past?: PastDay): Promise<Map<string, Row>> {
  if (regos.length === 0) return new Map();
  const statement = sql<Row>`
    select v.rego, v.kind, v.scale_unit, v.make, v.model, known_vin(v.vin) as vin, v.axle_groups, v.group_details,
      coalesce(s.trailers, '') as trailers, s.record as set, ruling.visited_on as weighed_on,
      ${weighedWith(sql`ruling.id`)} as weighed_with
    from vehicle v
      left join lateral (${ofRulingVisit(sql`v.id`, sql`t.id, t.visited_on`)}) ruling on true
      left join lateral (
        select t.trailers, ${stateOf('calibration_set', 'a')} as record
        from calibration_set t left join actor a on a.id = t.technician_id where t.id = ruling.id) s on true
    where v.rego = any(${regos}::text[]) and v.deleted_at is null`;
  const { rows } = await (past === undefined ? statement : asOf(statement, { ...past, names: regos })).execute(db);
  return new Map(rows.map((row) => [row.rego, { ...row, groupDetails: withoutSerials(row.groupDetails) }]));
}

// /check holds the visit against the log; that it names trailers stands in its set.
async function alteredSets(db: Db, rows: ReadonlyMap<string, Row>): Promise<Set<string>> {
  const names = await mismatchedRecords(
    db,
    [...rows.values()].flatMap(({ set }) => set ?? []),
  );
  const altered = new Set<string>();
  for (const { rego, set } of rows.values()) {
    const found = set === null ? undefined : names.get(recordName(set));
    if (found === undefined) continue;
    altered.add(rego);
    await keepFound(db, rego, [found]);
  }
  return altered;
}
