// What the registry said of a truck at the end of a day: its page of then, made again from the records as they stood in
// the public log; and what was changed since.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay, formatInstantInZone, instantOfDay, isDay, todayIn } from '#app/platform/time/calendar.ts';
import { formatHex } from '#app/tlog/signed-note.ts';
import type { LeafType } from '#app/tlog/leaf.ts';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';
import { logOfDay, sizeOnDay, type LogOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { asOf, leavesAbout } from '#app/transparency-log/records-at.server.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { saidOn } from '#app/vehicles/verdict.ts';
import { reasonWords, uncapital } from '#app/visits/visit.ts';
import type { ShownVisit } from '#app/visits/history.ts';
import { readVehiclePage, type VehiclePageRecords } from './read-vehicle-page.server.ts';
import { factsOf, judgementOf, rulingOf, shownHistory, shownVisit } from './vehicle-history.server.ts';
import { presentPage, type VehiclePage } from './vehicle-page.server.ts';

/** `moment`: the last of the day. `now`: the rego that the truck has today; null: it is removed. */
export type PastRecords = VehiclePageRecords & {
  day: string;
  moment: Date;
  size: number;
  verdict: Verdict;
  now: string | null;
};
/** Why there is no answer: the day is not over, the log began later, or no truck had this rego, but another then. */
export type NoPast =
  | { state: 'not-over' | 'unknown' | 'removed' }
  | { state: 'before-log'; beganOn: string | null }
  | { state: 'other-plate'; rego: string };

/** The truck that had the (normalised) rego at the end of `day`. */
export async function readPast(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  rego: string,
  day: string,
): Promise<{ state: 'live'; past: PastRecords } | NoPast> {
  const zone = config.timeZone;
  if (!isDay(day) || day >= todayIn(zone, now())) return { state: 'not-over' };
  const { beganOn, size } = await sizeOnDay({ db, config }, day);
  if (beganOn === null || day < beganOn) return { state: 'before-log', beganOn };
  const found = await readVehiclePage(db, rego, size);
  if (found.state !== 'live') {
    const then = await asOf(sql<{ rego: string }>`select rego from vehicle where deleted_at is null`, {
      size,
      names: [rego],
    }).execute(db);
    const [one, other] = then.rows;
    return one === undefined || other !== undefined ? { state: found.state } : { state: 'other-plate', ...one };
  }
  const { records } = found;
  const moment = new Date(instantOfDay(addDays(day, 1), zone).getTime() - 1);
  const { verdict } = judgementOf(records, zone, moment);
  const { rows } = await sql<{ rego: string }>`select rego from vehicle
    where id = joined_truck(${records.vehicle.id}::uuid) and deleted_at is null`.execute(db);
  return { state: 'live', past: { ...records, day, moment, size, verdict, now: rows[0]?.rego ?? null } };
}

/** Why there is none, in words; `firstDay`: of the log. */
export function whyNoPast(
  none: Exclude<NoPast, { state: 'other-plate' }>,
  rego: string,
  day: string,
): { title: string; sentence: string; firstDay: string | null } {
  const say = (title: string, sentence: string, firstDay: string | null = null) => ({ title, sentence, firstDay });
  if (!isDay(day)) return say('This is no day', 'Ask for a day such as 2026-03-12.');
  switch (none.state) {
    case 'not-over':
      return say('That day is not over', 'The registry answers for days that are over, and for today.');
    case 'before-log':
      return say(
        'No answer for that day',
        none.beganOn === null
          ? 'The registry’s log has not begun.'
          : `The registry’s log began on ${formatDay(none.beganOn)}. What was said before cannot be proved.`,
        none.beganOn,
      );
    case 'removed':
      return say(`${rego} was removed`, `At the end of that day the vehicle with rego ${rego} was removed.`);
    case 'unknown':
      return say(`No vehicle with rego ${rego}`, `At the end of that day no vehicle had the rego ${rego} here.`);
  }
}

/** An event since that day. `of`: the record known then that it changed; null: none. */
export type Change = { on: string; lead: string; rest: string; of: string | null };

export type PastPage = Pick<
  VehiclePage,
  'since' | 'rego' | 'kind' | 'state' | 'judgement' | 'policyVersion' | 'nextDue' | 'calibratedBy' | 'facts'
> &
  Pick<VehiclePage['evidence'], 'line' | 'lastCalibrated'> & {
    day: string;
    dayWords: string;
    sentence: string;
    mismatches: string[];
    /** What it rested on: the readings of the visit that ruled; without one, the newest. */
    visits: ShownVisit[];
    now: string | null;
    changes: Change[];
    /** How many records that were known then were changed since. */
    changed: number;
    /** Null: no tree that reaches so far is signed yet. */
    log: { size: number; root: string; signedAt: string | null } | null;
  };

/** The page's own words of then. Its files are left out: but for the certificate no log has them. */
export async function pastPage(services: Services, past: PastRecords, origin: string): Promise<PastPage> {
  const { config } = services;
  const zone = config.timeZone;
  const { day, moment } = past;
  const asked = { asked: new URLSearchParams(), origin, who: null };
  const { evidence, ...page } = await presentPage({ ...services, now: () => moment }, past, asked);
  const { since, rego, kind, state, judgement, policyVersion, nextDue, calibratedBy, facts, mismatches } = page;
  const history = shownHistory(past, zone, null);
  const ruling = rulingOf(past, zone);
  const restedOn = history.filter(({ visitId }) => ruling !== null && visitId === ruling.id);
  const changes = await changesSince(services, past);
  return {
    ...{ since, rego, kind, state, judgement, policyVersion, nextDue, calibratedBy, facts, mismatches },
    line: evidence.line,
    lastCalibrated: evidence.lastCalibrated,
    day,
    dayWords: formatDay(day),
    sentence: saidOn(factsOf(past, zone), day, past.policy),
    visits: (restedOn.length > 0 ? restedOn : history.slice(0, 1)).map(shownVisit),
    now: past.now,
    changes,
    changed: new Set(changes.flatMap(({ of }) => of ?? [])).size,
    log: presentLog(await logOfDay(services, day, past.size), zone),
  };
}

export const presentLog = (log: LogOfDay | null, zone: string): PastPage['log'] =>
  log && {
    size: log.size,
    root: formatHex(log.root),
    signedAt: log.signed && formatInstantInZone(log.signed.at, zone),
  };

// Of a visit that was known: 'The visit of 2 November 2025 was set aside'.
const OF_VISIT: Partial<Record<LeafType, string>> = {
  'calibration.corrected': 'was corrected',
  'visit.closed': 'was closed',
  'visit.accepted': 'was accepted',
  'visit.set-aside': 'was set aside',
  'visit.matched': 'was matched with its weighbridge',
  'visit.recalled': 'was held back, as its weighbridge was withdrawn',
  'visit.reinstated': 'is held back no longer',
};
// Of what else was known: the record that it changed.
const OF_RECORD: Partial<Record<LeafType, string>> = {
  'calibration.corrected': 'reading',
  'calibration.validated': 'validation',
  'calibration.unvalidated': 'validation',
  'due.set-by-hand': 'due date',
  'certificate.removed': 'certificate',
  'vehicle.updated': 'vehicle',
  'vehicle.deleted': 'vehicle',
  'vehicle.restored': 'vehicle',
  'vehicle.replated': 'plate',
  'vehicle.joined': 'join',
  'vehicle.parted': 'join',
};
const RECORDED: readonly LeafType[] = ['calibration.recorded', 'calibration-set.recorded'];

async function changesSince({ db, config }: Services, past: PastRecords): Promise<Change[]> {
  const zone = config.timeZone;
  const ruling = rulingOf(past, zone);
  const known = new Map(past.visits.map((visit) => [visit.id, visit.visitedOn]));
  const later = (await leavesAbout(db, past.vehicle.id)).filter(({ index }) => index >= past.size);
  const changes = later.flatMap(({ leaf: { type, at, body } }): Change[] => {
    const on = formatDay(todayIn(zone, new Date(at)));
    const visitedOn = known.get(body.visit ?? '');
    const [verb, record] = [OF_VISIT[type], OF_RECORD[type]];
    if (verb !== undefined && visitedOn !== undefined) {
      const why = reasonWords(body.reason ?? '');
      const rested = body.visit === ruling?.id ? ' The answer above rested on it.' : '';
      const rest = `${why === '' ? '' : `: ${uncapital(why)}`}.${rested}`;
      return [{ on, lead: `The visit of ${formatDay(visitedOn)} ${verb}`, rest, of: body.visit ?? null }];
    }
    if (RECORDED.includes(type)) return [{ on, lead: '', rest: 'A new visit was recorded.', of: null }];
    return record === undefined ? [] : [{ on, lead: LEAF_WORDS[type], rest: '.', of: record }];
  });
  // A visit has an entry for each of its readings.
  return changes.filter((one, place) => changes.findIndex((first) => isSame(first, one)) === place);
}

const isSame = (a: Change, b: Change) => a.on === b.on && a.lead === b.lead && a.rest === b.rest;
