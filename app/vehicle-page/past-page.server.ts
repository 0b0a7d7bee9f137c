// What the registry said of a truck at the end of a day: its page of then, made again from the records as they stood in
// the public log; and what was changed since.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, formatInstantInZone, todayIn } from '#app/platform/time/calendar.ts';
import { formatHex } from '#app/tlog/signed-note.ts';
import type { LeafType } from '#app/tlog/leaf.ts';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';
import { logOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { pastDay, type NoPast, type PastDay } from '#app/transparency-log/past-day.server.ts';
import { asOf, leavesSince } from '#app/transparency-log/records-at.server.ts';
import { kindWord } from '#app/vehicles/axle.ts';
import { presentFacts } from '#app/vehicles/present-facts.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { dueWords, saidOn } from '#app/vehicles/verdict.ts';
import { reasonWords, uncapital } from '#app/visits/visit.ts';
import { readVehiclePage, type VehiclePageRecords } from './read-vehicle-page.server.ts';
import { evidenceOfPage, factsOf, judgementOf, rulingOf, shownHistory, shownVisit } from './vehicle-history.server.ts';
import { withSystem } from './system-facts.ts';

/** `now`: the rego that the truck has today; null: it is removed. */
export type PastRecords = VehiclePageRecords & PastDay & { verdict: Verdict; now: string | null };

/** The truck that had the (normalised) rego at the end of `day`; else the one that is asked for by it, by its own. */
export async function readPast(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  rego: string,
  day: string,
): Promise<PastRecords | NoPast> {
  const { db, config } = services;
  const over = await pastDay(services, day);
  if ('none' in over) return over;
  const found = await readVehiclePage(db, rego, over.size);
  if (found.state !== 'live') {
    const live = sql<{ rego: string }>`select rego from vehicle where deleted_at is null`;
    const [one, other] = (await asOf(live, { ...over, names: [rego] }).execute(db)).rows;
    if (one !== undefined && other === undefined) return readPast(services, one.rego, day);
    return {
      none: `At the end of that day ${found.state === 'removed' ? `${rego} was removed` : `no vehicle had the rego ${rego} here`}.`,
    };
  }
  const { verdict } = judgementOf(found.records, config.timeZone, over.moment);
  const { rows } = await sql<{ rego: string }>`select rego from vehicle
    where id = joined_truck(${found.records.vehicle.id}::uuid) and deleted_at is null`.execute(db);
  return { ...found.records, ...over, verdict, now: rows[0]?.rego ?? null };
}

/** An event since that day. `of`: the record known then that it changed; null: none. */
type Change = { on: string; words: string; of: string | null };

export type PastPage = Awaited<ReturnType<typeof pastPage>>;

/** What its page said then. `changed`: how many records that were known then. */
export async function pastPage(services: Services, past: PastRecords) {
  const zone = services.config.timeZone;
  const { day, moment, vehicle, policy, since, mismatches, now } = past;
  const { line, lastCalibrated } = evidenceOfPage(past, zone, 'anyone');
  const [history, ruling] = [shownHistory(past, zone, null), rulingOf(past, zone)];
  const rested = history.filter(({ visitId }) => ruling !== null && visitId === ruling.id);
  const changes = await changesSince(services, past);
  // What was said is shown, though what proves it may be damaged.
  const log = await logOfDay(services, past).catch(() => null);
  const signed = log?.signed == null ? 'not signed that day' : formatInstantInZone(log.signed.at, zone);
  return {
    since,
    rego: vehicle.rego,
    state: vehicle.plateState,
    policyVersion: policy.version,
    line,
    mismatches,
    now,
    kind: vehicle.kind === '' ? '' : kindWord(vehicle.kind),
    judgement: judgementOf(past, zone, moment),
    sentence: saidOn(factsOf(past, zone), day, policy),
    lastCalibrated: lastCalibrated?.day ?? null,
    nextDue: dueWords(vehicle),
    facts: withSystem(presentFacts(vehicle, 'anyone'), past),
    /** What ruled, else the newest. */
    visits: (rested.length > 0 ? rested : history.slice(0, 1)).map((visit) => ({ ...shownVisit(visit), photos: [] })),
    /** Of each day. */
    changes: [...Map.groupBy(changes, ({ on }) => on)].map(([on, of]) => ({
      on,
      words: of.map(({ words }) => words).join(' '),
    })),
    changed: new Set(changes.flatMap(({ of }) => of ?? [])).size,
    /** Null: no tree that reaches so far is signed yet. `signed`: when, in words. */
    log: log && { size: log.size, root: formatHex(log.root), signed },
  };
}

// What became of a visit that was known.
const OF_VISIT: Partial<Record<LeafType, string>> = {
  'calibration.corrected': 'was corrected',
  'visit.closed': 'was closed',
  'visit.accepted': 'was accepted',
  'visit.set-aside': 'was set aside',
  'visit.matched': 'was matched with its weighbridge',
  'visit.recalled': 'was held back, as its weighbridge was withdrawn',
  'visit.reinstated': 'is held back no longer',
};
// What else changes a record that was known.
const OF_RECORD = /^(calibration\.(corrected|(un)?validated)|due\.|certificate\.removed|vehicle\.(?!rests))/;

async function changesSince({ db, config }: Services, past: PastRecords): Promise<Change[]> {
  const ruling = rulingOf(past, config.timeZone);
  const later = await leavesSince(db, past.vehicle.id, past.size);
  const changes = later.flatMap(({ type, at, body }): Change[] => {
    const on = formatDay(todayIn(config.timeZone, new Date(at)));
    const known = past.visits.find(({ id }) => id === body.visit);
    if (OF_VISIT[type] !== undefined && known !== undefined) {
      const why = reasonWords(body.reason ?? '');
      const rested = known.id === ruling?.id ? ' The answer above rested on it.' : '';
      const words = `The visit of ${formatDay(known.visitedOn)} ${OF_VISIT[type]}${why && `: ${uncapital(why)}`}.${rested}`;
      return [{ on, words, of: known.id }];
    }
    if (type === 'calibration.recorded') return [{ on, words: 'A new visit was recorded.', of: null }];
    return OF_RECORD.test(type) ? [{ on, words: `${LEAF_WORDS[type]}.`, of: type.split('.')[0] ?? null }] : [];
  });
  // A visit has an entry for each of its readings.
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
