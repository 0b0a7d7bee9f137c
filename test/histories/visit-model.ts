// What operations on readings and visits do to the records of a rego.
import { addDays } from '#app/platform/time/calendar.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import type { Step } from './linearize.ts';
import type { Change, Client, Entry, Outcome, Reading, VehicleOperation } from './operation.ts';
import {
  dayOf,
  entryBy,
  nextId,
  NOBODY,
  withVisit,
  type Held,
  type Read,
  type VehicleState,
  type Visit,
} from './vehicle-state.ts';
import {
  applyRule,
  close,
  hasAll,
  judgeAgain,
  LONGEST_DAYS,
  OPEN_MS,
  openedVisit,
  ownReadings,
  prepared,
  rulingOf,
  takeOver,
  type Found,
  type WrittenOutcome,
} from './visit-rules.ts';

type Move = Step<VehicleState>;
type Of<Name extends VehicleOperation['do']> = Extract<VehicleOperation, { do: Name }>;
/** What an operation finds; `isAlone`: its admin is the only one. */
export type World = Found & { isAlone: boolean };

const isExpired = ({ visit }: Visit, at: number) => at - visit >= OPEN_MS;
const openVisitOf = ({ visits }: VehicleState, mark: string, email: string) =>
  visits.find((visit) => visit.of === mark && visit.by === email && visit.state === 'open');

// A visit whose time is over closes before anything else is done with it.
function closeExpired(state: VehicleState, visit: Visit | undefined, rego: string, at: number, found: Found) {
  if (visit === undefined || visit.state !== 'open' || !isExpired(visit, at)) return { state, entries: [] };
  const closed = close(state, visit, found);
  return { state: closed.state, entries: [closedEntry(rego, NOBODY, closed)] };
}

const closedEntry = (
  rego: string,
  by: Pick<Client, 'email'>,
  { changes, leaf }: { changes: readonly Change[]; leaf: Outcome },
): Entry => entryBy(by, { kind: 'visit.closed', details: rego, changes, leaves: [{ type: 'visit.closed', ...leaf }] });

export function recordReading(
  before: VehicleState,
  by: Client,
  operation: Of<'record'>,
  live: Held,
  world: World,
): Move {
  const { rego, reading, at } = operation;
  const { mark } = live;
  const { state: now, entries } = closeExpired(before, openVisitOf(before, mark, by.email), rego, at, world);
  const open = openVisitOf(now, mark, by.email);
  const there =
    open === undefined
      ? undefined
      : ownReadings(now, open).find(({ axle, attribute }) => axle === reading.axle && attribute === reading.attribute);
  if (there !== undefined)
    return { state: now, outcome: { recorded: false, reason: 'recorded-already', id: there.id } };
  const id = nextId(now, at);
  const visit = open ?? openedVisit(mark, by.email, id, dayOf(at));
  const ready = open === undefined ? withVisit(prepared(now, mark), visit) : now;
  const read = { ...reading, id, of: mark, by: by.email, measuredAt: id, corrects: null, visit: visit.visit };
  const state = { ...ready, readings: [...ready.readings, read] };
  const closed = hasAll(ownReadings(state, visit)) ? close(state, visit, world) : undefined;
  return {
    state: closed?.state ?? state,
    outcome: {
      recorded: true,
      id,
      ...(closed === undefined ? {} : { closed: closed.visit.state, closedDueOn: closed.visit.dueOn }),
    },
    entries: [
      ...entries,
      entryBy(by, {
        kind: 'calibration.recorded',
        details: `${rego}: ${wordsOf(reading)}`,
        changes: closed?.changes ?? [],
        leaves: [readingLeaf('calibration.recorded', id, reading, closed?.leaf)],
      }),
    ],
  };
}

const DAY_MS = 86_400_000;

export function recordSet(
  before: VehicleState,
  by: Client,
  operation: Of<'record set'>,
  live: Held,
  world: World,
): Move {
  const { rego, readings, daysAgo, weighedOn, at } = operation;
  const { mark } = live;
  const first = nextId(before, at);
  const visitedAt = at - daysAgo * DAY_MS;
  const visit = { ...openedVisit(mark, by.email, first, dayOf(visitedAt)), isWeighed: weighedOn !== null };
  const ready = withVisit(prepared(before, mark), visit);
  const read = readings.map((reading, nth): Read => ({
    ...reading,
    id: first + nth,
    of: mark,
    by: by.email,
    measuredAt: visitedAt,
    corrects: null,
    visit: first,
  }));
  const closed = close({ ...ready, readings: [...ready.readings, ...read] }, visit, world);
  const [{ axle, dueOn } = { axle: 'STEER' as const, dueOn: null }] = readings;
  return {
    state: closed.state,
    outcome: { recorded: true, closed: closed.visit.state },
    entries: [
      entryBy(by, {
        kind: 'calibration-set.recorded',
        details: `${rego}: ${axleLabel(axle)}`,
        changes: closed.changes,
        leaves: [
          ...read.map((one) => readingLeaf('calibration.recorded', one.id, one)),
          { type: 'calibration-set.recorded', dueOn, ...closed.leaf },
        ],
      }),
    ],
  };
}

export function finish(state: VehicleState, by: Client, { rego, visit }: Of<'finish'>, live: Held, world: World): Move {
  const own = state.visits.find((one) => one.visit === visit && one.of === live.mark && one.by === by.email);
  if (own?.state !== 'open') return { state, outcome: { finished: false, reason: 'not-open' } };
  const closed = close(state, own, world);
  return {
    state: closed.state,
    outcome: { finished: true, closed: closed.visit.state, closedDueOn: closed.visit.dueOn },
    entries: [closedEntry(rego, by, closed)],
  };
}

/** The housekeeping closes a visit whose time is over, of a removed truck too. */
export function expire(state: VehicleState, { rego, visit, at }: Of<'expire'>, world: World): Move {
  const open = state.visits.find((one) => one.visit === visit);
  return { outcome: {}, ...closeExpired(state, open, rego, at, world) };
}

export function correct(before: VehicleState, by: Client, operation: Of<'correct'>, live: Held, world: World): Move {
  const { rego, reading, reason, at } = operation;
  const refused = (why: Outcome): Move => ({ state: before, outcome: { corrected: false, ...why } });
  const wrong = before.readings.find(({ id, of }) => id === operation.id && of === live.mark);
  if (wrong === undefined) return refused({ reason: 'unknown' });
  if (by.role !== 'admin' && wrong.by !== by.email) return refused({ reason: 'not-yours' });
  const later = before.readings.find(({ corrects }) => corrects === wrong.id);
  if (later !== undefined) return refused({ reason: 'corrected-already', by: later.id });
  const day = dayOf(wrong.measuredAt);
  const { dueOn } = reading;
  if (dueOn !== null && dueOn !== wrong.dueOn && (dueOn < day || dueOn > addDays(day, LONGEST_DAYS)))
    return refused({ reason: 'due-date' });
  const visitOf = ({ visits }: VehicleState) => visits.find(({ visit }) => visit === wrong.visit);
  const { state: now, entries } = closeExpired(before, visitOf(before), rego, at, world);
  const id = nextId(now, at);
  const { of, measuredAt, visit } = wrong;
  const added = { ...reading, id, of, by: by.email, measuredAt, corrects: wrong.id, visit };
  const state = { ...now, readings: [...now.readings, added] };
  const judged = visitOf(state);
  const again = judged === undefined ? ofTakenOver(state, wrong, dueOn) : judgeIfClosed(state, judged, at, world);
  const changes: Change[] = [
    { field: 'axle_type', from: wrong.axle, to: reading.axle },
    { field: 'calibration_attribute', from: wrong.attribute, to: reading.attribute },
    { field: 'calibration_value', from: wrong.value, to: reading.value },
    { field: 'calibration_due_date', from: wrong.dueOn, to: reading.dueOn },
  ].filter(({ from, to }) => from !== to);
  return {
    state: again?.state ?? state,
    outcome: { corrected: true, id },
    entries: [
      ...entries,
      entryBy(by, {
        kind: 'calibration.corrected',
        details: `${rego}: ${wordsOf(reading)} instead of ${wordsOf(wrong)}: ${reason}`,
        changes: [...changes, ...(again?.changes ?? [])],
        leaves: [readingLeaf('calibration.corrected', id, reading, again?.leaf)],
      }),
    ],
  };
}

type Again = Pick<WrittenOutcome, 'state' | 'changes'> & { leaf?: Outcome };

const judgeIfClosed = (state: VehicleState, visit: Visit, at: number, found: Found): Again | undefined =>
  visit.state === 'open' ? undefined : judgeAgain(state, visit, at, found);

// An entry that an import brought as it stood moves the due date earlier, and never later.
function ofTakenOver(state: VehicleState, { of, dueOn: was }: Read, dueOn: string | null): Again | undefined {
  if (was === null || dueOn === null || dueOn >= was) return undefined;
  const taken = takeOver(state, of);
  const ruling = rulingOf(taken, of);
  if (ruling?.state !== 'taken-over' || ruling.dueOn !== was) return { state: taken, changes: [] };
  return applyRule(withVisit(taken, { ...ruling, dueOn }), of);
}

const wordsOf = ({ axle, attribute, value }: Reading) => `${axle} ${attribute} ${value}`;
const readingLeaf = (
  type: string,
  id: number,
  { axle, attribute, value, dueOn }: Reading,
  more: Outcome = {},
): Outcome => ({
  type,
  calibration: id,
  axle,
  attribute,
  value,
  dueOn,
  ...more,
});
