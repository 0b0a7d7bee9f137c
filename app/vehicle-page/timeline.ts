// A vehicle's timeline: its events, and its verdict over time. It uses public records only, and names nobody but the
// technicians of calibrations.
import { addDays, daysBetween, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { stateWord, type VisitState } from '#app/visits/visit.ts';
import { spanWords } from '#app/references/withdrawal.ts';
import { judge, type VerdictFacts, type VerdictPolicy } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

/** The weighbridge of a visit, and for which days it was withdrawn. */
export type WithdrawnBridge = { id: string; name: string; fromOn: string; toOn: string; isLifted: boolean };

/** The records of a timeline. Times are those of recording, except for a visit, which has its own time. */
export type TimelineRecords = {
  /** Null: all that happened. Else what happened from then on, after one event each that says how it was. */
  from: Date | null;
  addedAt: Date | null;
  visits: readonly { at: Date; words: string }[];
  /** When the registry's knowledge of the verdict begins; null: today. The former register kept no history of it. */
  verdictKnownFrom: Date | null;
  /** When the registry first had a calibration of it. */
  firstKnownAt: Date | null;
  /** What was recorded before there were visits, or imported, keeps its effect: so something always counts. */
  isTakenOver: boolean;
  /** When visits came into a state; `day`: that of the visit, in words. */
  states: readonly {
    at: Date;
    visitId: string;
    state: VisitState;
    day: string;
    withdrawal?: WithdrawnBridge | null;
  }[];
  validations: readonly { at: Date; validated: boolean; nextDueOn: string | null }[];
  /** Due dates that calibrations moved. */
  dues: readonly { at: Date; nextDueOn: string | null }[];
  certificates: readonly { addedAt: Date; removedAt: Date | null; imported: boolean }[];
  /** Reports that a record is wrong, as they were decided: at the end of that day. `entry`: of the public log. */
  reports: readonly { at: Date; words: string; entry: number | null }[];
  /** The removals and restores. */
  absences: readonly { at: Date; removed: boolean }[];
};

export type TimelineKind = 'added' | 'visit' | 'decision' | 'validation' | 'certificate' | 'absence';
export type TimelineItem = { day: string; date: string } & (
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: TimelineKind; words: string; bridge?: Pick<WithdrawnBridge, 'id' | 'name'>; entry?: number | null }
);
/** Successive days with one verdict. Its start and length are in percent of the whole time. */
export type TimelinePeriod = { verdict: Verdict; from: number; part: number };
export type Timeline = { since: string; items: TimelineItem[]; periods: TimelinePeriod[] };

type JudgedBy = { facts: VerdictFacts; today: string; zone: string; policy: VerdictPolicy };

/** The items newest first, the periods oldest first. `facts`: as they are today. */
export function timelineOf(records: TimelineRecords, by: JudgedBy): Timeline {
  const verdicts = verdictChanges(records, by);
  const { from } = records;
  const events = [...eventsOf(records)]
    .filter(({ at }) => from === null || at >= from)
    .map(({ at, ...event }) => ({ ...event, day: todayIn(by.zone, at), at }));
  const items = [
    ...events.map(({ at, ...event }) => ({ ...event, order: at.getTime(), date: formatDay(event.day, 'short') })),
    // A change of the verdict follows the events of its day that caused it.
    ...verdicts.map(({ day, verdict }) => ({
      kind: 'verdict' as const,
      verdict,
      day,
      order: Number.POSITIVE_INFINITY,
      date: formatDay(day, 'short'),
    })),
  ]
    .toSorted((a, b) => b.day.localeCompare(a.day) || b.order - a.order)
    .map(({ order: _order, ...item }) => item);
  return { since: formatDay(verdicts[0]?.day ?? by.today), items, periods: periodsOf(verdicts, by.today) };
}

type Event = { at: Date; kind: TimelineKind; words: string; bridge?: WithdrawnBridge; entry?: number | null };

function* eventsOf(records: TimelineRecords): Generator<Event> {
  const { addedAt, visits, states, validations, certificates, reports, absences } = records;
  if (addedAt !== null) yield { at: addedAt, kind: 'added', words: 'Added to the registry' };
  for (const { at, words } of visits) yield { at, kind: 'visit', words };
  const closed = new Set<string>();
  for (const { at, visitId, state, day, withdrawal } of states) {
    // The visit's own line says the first.
    if (closed.has(visitId))
      yield {
        at,
        kind: 'decision',
        words: `Visit of ${day}: ${stateWord(state).toLowerCase()}${withdrawal == null ? '' : withdrawnWords(withdrawal)}`,
        ...(withdrawal == null ? {} : { bridge: withdrawal }),
      };
    closed.add(visitId);
  }
  let before = false;
  for (const { at, validated, nextDueOn } of validations) {
    const due = nextDueOn === null ? '' : `, due ${formatDay(nextDueOn, 'short')}`;
    if (validated) yield { at, kind: 'validation', words: `${before ? 'Still validated' : 'Validated'}${due}` };
    else if (before) yield { at, kind: 'validation', words: `Validation withdrawn${due}` };
    before = validated;
  }
  for (const { addedAt: at, removedAt, imported } of certificates) {
    const words = imported ? 'Certificate taken over from the former register' : 'Certificate added';
    yield { at, kind: 'certificate', words };
    if (removedAt !== null) yield { at: removedAt, kind: 'certificate', words: 'Certificate removed' };
  }
  for (const report of reports) yield { kind: 'decision', ...report };
  for (const { at, removed } of absences)
    yield { at, kind: 'absence', words: removed ? 'Removed from the registry' : 'Restored' };
}

const withdrawnWords = ({ name, isLifted, ...span }: WithdrawnBridge): string =>
  isLifted
    ? `. The withdrawal of the weighbridge ${name} was lifted`
    : `. The weighbridge ${name} was withdrawn for ${spanWords(span)}`;

type VerdictFrom = { day: string; verdict: Verdict };

// The days on which the verdict may change: its facts changed, or time alone changes it.
function verdictChanges(records: TimelineRecords, { facts, today, zone, policy }: JudgedBy): VerdictFrom[] {
  const { verdictKnownFrom, firstKnownAt, isTakenOver, validations, dues } = records;
  const changes = [
    ...(firstKnownAt === null ? [] : [{ at: firstKnownAt, to: { hasCalibration: true, noneCounts: !isTakenOver } }]),
    ...(isTakenOver ? [] : countings(records).map(({ at, counts }) => ({ at, to: { noneCounts: !counts } }))),
    ...validations.map(({ at, ...to }) => ({ at, to })),
    ...dues.map(({ at, ...to }) => ({ at, to })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const days = changes.map(({ at, to }) => ({ day: todayIn(zone, at), to }));
  const known = verdictKnownFrom === null ? today : todayIn(zone, laterOf(verdictKnownFrom, records.from));
  const begin = [known, ...days.map(({ day }) => day)].toSorted()[0] ?? known;
  let state: VerdictFacts = { hasCalibration: false, validated: false, noneCounts: false, nextDueOn: null };
  const found: VerdictFrom[] = [];
  const note = (day: string) => {
    const { verdict } = judge(state, day, policy);
    const last = found.at(-1);
    if (last?.day === day) found.pop();
    if (found.at(-1)?.verdict !== verdict) found.push({ day, verdict });
  };
  note(begin);
  for (const [place, { day, to }] of days.entries()) {
    state = { ...state, ...to };
    note(day);
    const next = days[place + 1]?.day ?? today;
    const { nextDueOn } = state;
    if (nextDueOn === null) continue;
    for (const turn of [addDays(nextDueOn, -policy.dueSoonDays), addDays(nextDueOn, 1)])
      if (turn > day && turn < next) note(turn);
  }
  // The last period has today's verdict, whatever the records say of the past.
  state = facts;
  note(today);
  const later = found.filter(({ day }) => day > known);
  const first = found.findLast(({ day }) => day <= known);
  return first === undefined ? later : [{ ...first, day: known }, ...later];
}

const laterOf = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a);

// Whether any visit counts, after each change of a visit's state.
function countings({ states }: TimelineRecords): { at: Date; counts: boolean }[] {
  const counting = new Set<string>();
  return states.map(({ at, visitId, state }) => {
    if (state === 'counts' || state === 'accepted') counting.add(visitId);
    else counting.delete(visitId);
    return { at, counts: counting.size > 0 };
  });
}

function periodsOf(verdicts: readonly VerdictFrom[], today: string): TimelinePeriod[] {
  const end = addDays(today, 1);
  const begin = verdicts[0]?.day ?? today;
  const percent = (from: string, to: string) => (daysBetween(from, to) / daysBetween(begin, end)) * 100;
  return verdicts.map(({ day, verdict }, place) => ({
    verdict,
    from: percent(begin, day),
    part: percent(day, verdicts[place + 1]?.day ?? end),
  }));
}
