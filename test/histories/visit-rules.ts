// The rule of visits, as small as the histories allow: their readings lie on one line of the truck, so that of the
// checks only four can fail.
import { addDays, daysBetween } from '#app/platform/time/calendar.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import type { Change, Outcome, Rules } from './operation.ts';
import {
  dayOf,
  dueChanges,
  FIRST_RULES,
  lastCalibrated,
  recordIn,
  currentReadings,
  withRecord,
  withVisit,
  type InForce,
  type Read,
  type VehicleState,
  type Visit,
} from './vehicle-state.ts';

export const OPEN_MS = 12 * 3_600_000;
export const LONGEST_DAYS = 366;
const PROMPT_DAYS = 7;
const MOST_VOLTS = 12;
/** The one axle group with a sensor. */
export const FITTED = 'STEER';

const isCounting = ({ state }: Visit) => state === 'counts' || state === 'accepted' || state === 'taken-over';

export function openedVisit(of: string, by: string, visit: number, day: string): Visit {
  const none = { dueOn: null, handDueOn: null, keptFrom: null, isStretched: false, decided: null, rules: null };
  const unweighed = {
    decidedAt: null,
    acceptedAt: null,
    isOfAnew: false,
    isWeighed: false,
    isWithdrawn: false,
    beforeRecall: null,
  };
  return { visit, of, by, day, state: 'open', ...none, ...unweighed };
}

/** One visit stands for all that an import brought, with the due date as it stood. */
export function takeOver(state: VehicleState, mark: string): VehicleState {
  const { restsOn, dueOn } = recordIn(state, mark);
  const last = lastCalibrated(state, mark);
  if (last === undefined || restsOn !== '' || state.visits.some(({ of }) => of === mark)) return state;
  return withVisit(state, { ...openedVisit(mark, '', last, dayOf(last)), state: 'taken-over', dueOn });
}

/** Before a truck's first visit nothing counts, but what was taken over. */
export function prepared(state: VehicleState, mark: string): VehicleState {
  const record = recordIn(state, mark);
  if (record.restsOn !== '') return state;
  return lastCalibrated(state, mark) === undefined
    ? withRecord(state, { ...record, restsOn: 'nothing' })
    : takeOver(state, mark);
}

/** The newest visit that counts, by its day, then by recording. */
export const rulingOf = ({ visits }: VehicleState, mark: string): Visit | undefined =>
  visits
    .filter((visit) => visit.of === mark && isCounting(visit))
    .toSorted((a, b) => (a.day === b.day ? b.visit - a.visit : a.day < b.day ? 1 : -1))[0];

export const dueOf = ({ dueOn, handDueOn }: Visit): string | null => handDueOn ?? dueOn;

/** The names of the checks that hold it back, and its due date. */
export function heldBack(visit: Visit, own: readonly Read[], rules: Rules): { held: string[]; dueOn: string | null } {
  const [dueOn = null] = own.flatMap((reading) => reading.dueOn ?? []).toSorted();
  const isComplete = hasAll(own);
  const held = [
    ...(isComplete ? [] : ['complete']),
    ...(dueOn !== null && dueOn <= addDays(visit.day, LONGEST_DAYS) ? [] : ['interval']),
    ...(visit.by === '' || visit.isOfAnew ? ['truck'] : []),
    ...(daysBetween(visit.day, dayOf(visit.visit)) <= PROMPT_DAYS ? [] : ['prompt']),
    ...(rules.plausible !== 'must' || own.every(isPlausible) ? [] : ['plausible']),
  ];
  return { held, dueOn };
}

export const hasAll = (own: readonly Pick<Read, 'axle' | 'attribute'>[]): boolean =>
  CALIBRATION_ATTRIBUTES.every(({ attribute }) =>
    own.some((one) => one.axle === FITTED && one.attribute === attribute),
  );

const isPlausible = ({ attribute, value }: Read) => !attribute.endsWith('Volt') || Number(value) <= MOST_VOLTS;

export const ownReadings = (state: VehicleState, { visit }: Pick<Visit, 'visit'>): Read[] =>
  currentReadings(state).filter((reading) => reading.visit === visit);

/** What a write does to a visit and, by the rule, to its truck. `leaf`: what its leaf says of it. */
export type WrittenOutcome = { state: VehicleState; visit: Visit; changes: Change[]; leaf: Outcome };

/** What a visit finds when it is judged: the rules and the withdrawals in force. */
export type Found = { rules: Rules; inForce: readonly InForce[] };

// A rego that a removed record had before is another truck's, until an admin let a visit of this record count.
function judgedNow(state: VehicleState, visit: Visit): Visit {
  const before = state.records.slice(
    0,
    state.records.findIndex(({ mark }) => mark === visit.of),
  );
  const isLookedAt = state.visits.some(
    ({ of, acceptedAt }) => of === visit.of && acceptedAt !== null && acceptedAt <= visit.visit,
  );
  return { ...visit, isOfAnew: before.some(({ live }) => !live) && !isLookedAt };
}

/** Closes an open visit. */
export function close(state: VehicleState, opened: Visit, { rules, inForce }: Found): WrittenOutcome {
  const visit = judgedNow(state, opened);
  const { held, dueOn } = heldBack(visit, ownReadings(state, visit), rules);
  return write(state, visit, withWithdrawals({ ...visit, rules, dueOn }, held, inForce));
}

// What withdrawals of its weighbridge make of a visit that these checks hold back.
function withWithdrawals(visit: Visit, held: readonly string[], inForce: readonly InForce[]): Visit {
  const { decided, decidedAt, isStretched, rules, isWeighed, day } = visit;
  const free = decided ?? (isStretched ? 'waits' : stateOf(held, rules ?? FIRST_RULES));
  const over = isWeighed ? inForce.filter(({ fromOn, toOn }) => fromOn <= day && day <= toOn) : [];
  if (over.length === 0) return { ...visit, state: free, isWithdrawn: false, beforeRecall: null };
  // A decision since then is kept.
  const isHeld =
    decided === null || (decided === 'accepted' && over.some(({ confirmedAt }) => (decidedAt ?? 0) <= confirmedAt));
  const beforeRecall = isHeld && (free === 'counts' || free === 'accepted') ? free : null;
  return { ...visit, state: isHeld ? 'waits' : free, isWithdrawn: true, beforeRecall };
}

type StateUnder = { now: Visit; isSame: boolean };
/** What the withdrawals in force make of all closed visits, in their order. */
export const statesUnder = (state: VehicleState, inForce: readonly InForce[]): StateUnder[] =>
  state.visits
    .filter((visit) => visit.state !== 'open' && visit.isWeighed)
    .map((visit) => {
      const { held } = heldBack(visit, ownReadings(state, visit), visit.rules ?? FIRST_RULES);
      const now = withWithdrawals(visit, held, inForce);
      const isSame =
        now.state === visit.state && now.isWithdrawn === visit.isWithdrawn && now.beforeRecall === visit.beforeRecall;
      return { now, isSame };
    })
    .toSorted((a, b) => a.now.visit - b.now.visit);

function stateOf(held: readonly string[], { everyVisitWaits }: Rules) {
  if (held.length === 1 && held[0] === 'complete') return 'partial';
  return held.length > 0 || everyVisitWaits ? 'waits' : 'counts';
}

/** Holds a closed visit against its checks again, after a correction at `at`. */
export function judgeAgain(state: VehicleState, judged: Visit, at: number, { inForce }: Found): WrittenOutcome {
  const visit = judgedNow(state, judged);
  const rules = visit.rules ?? FIRST_RULES;
  const { held, dueOn } = heldBack(visit, ownReadings(state, visit), rules);
  const isLater = dueOn === null || (visit.dueOn !== null && dueOn > visit.dueOn);
  const isLate = daysBetween(visit.day, dayOf(at)) > PROMPT_DAYS;
  const { decided } = visit;
  const isStretched = decided === null && (visit.isStretched || (isLate && isLater));
  const corrected = { ...visit, isStretched, dueOn: decided !== null && isLater ? visit.dueOn : dueOn };
  return write(state, visit, withWithdrawals(corrected, held, inForce));
}

// An older visit that rules now brings no later due date than the one that stood.
function write(state: VehicleState, before: Visit, visit: Visit): WrittenOutcome {
  const written = withVisit(state, visit);
  const older = rulingOf(written, visit.of);
  const { dueOn: stood } = recordIn(state, visit.of);
  const kept =
    older === undefined || older.visit === visit.visit || stood === null || (dueOf(older) ?? '9999') <= stood
      ? written
      : withVisit(written, { ...older, handDueOn: stood, keptFrom: visit.visit });
  const ruled = applyRule(kept, visit.of);
  return {
    state: ruled.state,
    visit,
    changes: [...stateChanges(before, visit), ...ruled.changes],
    leaf: { visitState: visit.state, visitDueOn: visit.dueOn },
  };
}

export const stateChanges = ({ state: from }: Visit, { state: to }: Visit): Change[] =>
  from === to ? [] : [{ field: 'visit_state', from, to }];

/** The truck's due date is that of the visit that rules. */
export function applyRule(state: VehicleState, mark: string): { state: VehicleState; changes: Change[] } {
  const record = recordIn(state, mark);
  const ruling = rulingOf(state, mark);
  const dueOn = ruling === undefined ? null : dueOf(ruling);
  const restsOn = ruling === undefined ? 'nothing' : ruling.state === 'taken-over' ? '' : 'visit';
  const changes = dueChanges(record.dueOn, dueOn);
  const version = record.version + changes.length;
  return {
    state: withRecord(state, { ...record, dueOn, version, restsOn }),
    changes,
  };
}
