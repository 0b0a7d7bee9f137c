// The rules of one rego, as the product states them: one live record at a time, versions by which a stale form is
// refused, readings that are never edited and corrected once at most, visits that count or do not, removed records that
// nothing changes.
import { addDays } from '#app/platform/time/calendar.ts';
import { applyWithdrawal, decide } from './decide-model.ts';
import { importTruck } from './import-model.ts';
import type { Step } from './linearize.ts';
import type { Call, Change, Client, Entry, Outcome, VehicleOperation } from './operation.ts';
import {
  decisionLeaf,
  entryBy,
  FIRST_RULES,
  lastCalibrated,
  liveIn,
  nextVersion,
  recordIn,
  shown,
  vehicleLeaf,
  withDecision,
  withRecord,
  withVisit,
  type Held,
  type VehicleState,
} from './vehicle-state.ts';
import { correct, expire, finish, recordReading, recordSet, type World } from './visit-model.ts';
import { applyRule, LONGEST_DAYS, rulingOf, takeOver } from './visit-rules.ts';

type Move = Step<VehicleState>;
type Made = Pick<Call<VehicleOperation>, 'by' | 'operation'>;
type Of<Name extends VehicleOperation['do']> = Extract<VehicleOperation, { do: Name }>;

const PLAIN_WORLD: World = { rules: FIRST_RULES, inForce: [], isAlone: false };

/** What one operation does to the records of its rego. */
export function vehicleModel(state: VehicleState, { by, operation }: Made, world = PLAIN_WORLD): Move {
  const kept = 'key' in operation ? state.kept[operation.key] : undefined;
  if (kept !== undefined) return { state, outcome: kept };
  const move = stepOf(state, by, operation, world);
  return 'key' in operation && took(move.outcome)
    ? { ...move, state: { ...move.state, kept: { ...move.state.kept, [operation.key]: move.outcome } } }
    : move;
}

const took = (outcome: Outcome) => !('reason' in outcome);

function stepOf(state: VehicleState, by: Client, operation: VehicleOperation, world: World): Move {
  const live = liveIn(state);
  const gone = state.records.length === 0 ? 'unknown' : 'removed';
  const nothing = (outcome: Outcome): Move => ({ state, outcome });
  switch (operation.do) {
    case 'open':
      return nothing(
        live === undefined
          ? { state: gone, live: false }
          : { state: 'live', live: true, ...shown(state, live, operation.today) },
      );
    case 'register':
      return live === undefined ? register(state, by, operation) : nothing({ registered: false, reason: 'exists' });
    case 'update':
      return live === undefined ? nothing({ updated: false, reason: gone }) : update(state, by, operation, live);
    case 'remove': {
      if (live === undefined) return nothing({ removed: false, reason: gone });
      const record = { ...live, live: false, version: live.version + 1 };
      const leaves = [vehicleLeaf('vehicle.deleted', record)];
      const entry = { kind: 'vehicle.removed', details: `${operation.rego} removed`, changes: [], leaves };
      return { state: withRecord(state, record), outcome: { removed: true }, entries: [entryBy(by, entry)] };
    }
    case 'restore':
      return restore(state, by, operation, live);
    case 'decide': {
      if (live === undefined) return nothing({ decided: false, reason: gone });
      const { validated, reason, rego } = operation;
      if (live.validated === validated) return nothing({ decided: true });
      const record = { ...live, validated, version: live.version + 1 };
      const kind = validated ? 'vehicle.validated' : 'validation.withdrawn';
      const changes = [{ field: 'calibration_validated', from: !validated, to: validated }];
      const entry = { kind, details: `${rego}: ${reason}`, changes, leaves: [decisionLeaf(record)] };
      return {
        state: withDecision(withRecord(state, record), record, by, reason),
        outcome: { decided: true },
        entries: [entryBy(by, entry)],
      };
    }
    case 'record':
      return live === undefined
        ? nothing({ recorded: false, reason: gone })
        : recordReading(state, by, operation, live, world);
    case 'record set':
      return live === undefined
        ? nothing({ recorded: false, reason: gone })
        : recordSet(state, by, operation, live, world);
    case 'finish':
      return live === undefined
        ? nothing({ finished: false, reason: gone })
        : finish(state, by, operation, live, world);
    case 'correct':
      return live === undefined
        ? nothing({ corrected: false, reason: gone })
        : correct(state, by, operation, live, world);
    case 'decide visit':
      return decide(state, by, operation, world);
    case 'expire':
      return expire(state, operation, world);
    case 'import':
      return importTruck(state, operation, world);
    case 'apply withdrawal':
      return applyWithdrawal(state, operation, world);
  }
}

function register(state: VehicleState, by: Client, operation: Of<'register'>): Move {
  const { mark, notes, rego } = operation;
  const decides = by.role === 'admin';
  const [validated, dueOn] = decides ? [operation.validated, operation.dueOn] : [false, null];
  const record: Held = { mark, live: true, version: nextVersion(state), notes, dueOn, validated, restsOn: '' };
  const isDecided = decides && (validated || dueOn !== null);
  const leaves = [vehicleLeaf('vehicle.registered', record), ...(isDecided ? [decisionLeaf(record)] : [])];
  const entry = { kind: 'vehicle.added', details: `${rego} added`, changes: [], leaves };
  const added = withRecord(state, record);
  return {
    state: isDecided ? withDecision(added, record, by, '') : added,
    outcome: { registered: true },
    entries: [entryBy(by, entry)],
  };
}

// What counts by now may differ. Without a visit the record stays as it stood.
function restore(state: VehicleState, by: Client, { rego, mark }: Of<'restore'>, live: Held | undefined): Move {
  const nothing = (reason: string): Move => ({ state, outcome: { restored: false, reason } });
  if (live !== undefined) return nothing(live.mark === mark ? 'live-already' : 'rego-taken');
  const removed = state.records.find((one) => one.mark === mark);
  if (removed === undefined) return nothing('unknown');
  const back = withRecord(state, { ...removed, live: true });
  const ruled = state.visits.some(({ of }) => of === mark) ? applyRule(back, mark) : { state: back, changes: [] };
  const record = { ...recordIn(ruled.state, mark), version: nextVersion(ruled.state) };
  const leaves = [vehicleLeaf('vehicle.restored', record)];
  const entry: Omit<Entry, 'by'> = {
    kind: 'vehicle.restored',
    details: `${rego} restored`,
    changes: ruled.changes,
    leaves,
  };
  return { state: withRecord(ruled.state, record), outcome: { restored: true }, entries: [entryBy(by, entry)] };
}

function update(state: VehicleState, by: Client, operation: Of<'update'>, live: Held): Move {
  const { form, notes, rego, reason } = operation;
  const refused = (outcome: Outcome): Move => ({ state, outcome: { updated: false, ...outcome } });
  if (form.mark !== live.mark || form.version !== live.version)
    return refused({ reason: 'stale', ...shown(state, live, operation.today) });
  const decides = by.role === 'admin';
  const { validated, dueOn } = decides ? operation : live;
  const isByHand = dueOn !== live.dueOn && lastCalibrated(state, live.mark) !== undefined;
  const refusal = isByHand ? byHandRefusal(state, live, dueOn, reason) : undefined;
  if (refusal !== undefined) return refused({ reason: refusal });
  const changes: Change[] = [
    { field: 'notes', from: live.notes, to: notes },
    { field: 'next_calibration_due', from: live.dueOn, to: dueOn },
    { field: 'calibration_validated', from: live.validated, to: validated },
  ].filter(({ from, to }) => from !== to);
  if (changes.length === 0) return { state, outcome: { updated: true } };
  const record = { ...live, notes, validated, dueOn, version: live.version + 1 };
  const isDecided = changes.some(({ field }) => field !== 'notes');
  const leaves = [
    vehicleLeaf('vehicle.updated', record),
    ...(isByHand ? [{ type: 'due.set-by-hand', dueOn }] : []),
    ...(isDecided ? [decisionLeaf(record)] : []),
  ];
  const details = reason === '' || !decides ? `${rego} updated` : `${rego} updated: ${reason}`;
  const taken = isByHand ? takeOver(state, live.mark) : state;
  const ruling = isByHand ? rulingOf(taken, live.mark) : undefined;
  const byHand = ruling === undefined ? taken : withVisit(taken, { ...ruling, handDueOn: dueOn, keptFrom: null });
  const saved = withRecord(byHand, record);
  return {
    state: isDecided ? withDecision(saved, record, by, reason) : saved,
    outcome: { updated: true },
    entries: [entryBy(by, { kind: 'vehicle.updated', details, changes, leaves })],
  };
}

// Earlier at will, later only up to the longest interval after the visit that rules.
function byHandRefusal(state: VehicleState, live: Held, dueOn: string | null, reason: string): string | undefined {
  if (reason === '') return 'due-without-reason';
  const ruling = rulingOf(takeOver(state, live.mark), live.mark);
  if (ruling === undefined) return 'due-without-visit';
  const isLater = dueOn === null || (live.dueOn !== null && dueOn > live.dueOn);
  return dueOn === null || (isLater && dueOn > addDays(ruling.day, LONGEST_DAYS)) ? 'due-too-late' : undefined;
}
