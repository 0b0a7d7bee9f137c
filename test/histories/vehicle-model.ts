// The rules of one rego, as the product states them: one live record at a time, versions by which a stale form is
// refused, readings that are never edited and corrected once at most, removed records that nothing changes.
import type { Step } from './linearize.ts';
import type { Call, Change, Client, Entry, Outcome, Reading, VehicleOperation } from './operation.ts';

type Held = { mark: string; live: boolean; version: number; notes: string; dueOn: string | null; validated: boolean };
type Read = Reading & { id: number; of: string; by: string; measuredAt: number; corrects: number | null };
type Decision = { of: string; validated: boolean; dueOn: string | null; reason: string; by: string };

/** Everything that the registry keeps under one rego. `kept`: the answers to forms that had an effect, by their key. */
export type VehicleState = {
  records: readonly Held[];
  readings: readonly Read[];
  decisions: readonly Decision[];
  kept: Readonly<Record<string, Outcome>>;
};
export const NO_VEHICLE: VehicleState = { records: [], readings: [], decisions: [], kept: {} };

type Move = Step<VehicleState>;
type Effect = {
  /** The live record as it is left; absent, the call adds or ends one by itself. */
  record: Held;
  reading?: Read;
  decision?: Decision;
  outcome: Outcome;
  entry: Omit<Entry, 'by'>;
};

/** What one operation does to the records of its rego. */
export function vehicleModel(state: VehicleState, { by, operation }: Pick<Call<VehicleOperation>, 'by' | 'operation'>) {
  const kept = 'key' in operation ? state.kept[operation.key] : undefined;
  if (kept !== undefined) return { state, outcome: kept };
  const move = stepOf(state, by, operation);
  return 'key' in operation && took(move.outcome)
    ? { ...move, state: { ...move.state, kept: { ...move.state.kept, [operation.key]: move.outcome } } }
    : move;
}

const SET_BACK_MAX_MS = 3_600_000;
const took = (outcome: Outcome) => !('reason' in outcome);

function stepOf(state: VehicleState, by: Client, operation: VehicleOperation): Move {
  const live = state.records.find((record) => record.live);
  const gone = state.records.length === 0 ? 'unknown' : 'removed';
  const nothing = (outcome: Outcome): Move => ({ state, outcome });
  switch (operation.do) {
    case 'open':
      return nothing(live === undefined ? { state: gone, live: false } : { state: 'live', live: true, ...shown(live) });
    case 'register':
      return live === undefined ? register(state, by, operation) : nothing({ registered: false, reason: 'exists' });
    case 'update':
      return live === undefined ? nothing({ updated: false, reason: gone }) : update(state, by, operation, live);
    case 'remove': {
      if (live === undefined) return nothing({ removed: false, reason: gone });
      const record = { ...live, live: false, version: live.version + 1 };
      const leaves = [vehicleLeaf('vehicle.deleted', record)];
      const entry = { kind: 'vehicle.removed', details: `${operation.rego} removed`, changes: [], leaves };
      return effect(state, by, { record, outcome: { removed: true }, entry });
    }
    case 'restore': {
      if (live !== undefined)
        return nothing({ restored: false, reason: live.mark === operation.mark ? 'live-already' : 'rego-taken' });
      const removed = state.records.find(({ mark }) => mark === operation.mark);
      if (removed === undefined) return nothing({ restored: false, reason: 'unknown' });
      const record = { ...removed, live: true, version: nextVersion(state) };
      const leaves = [vehicleLeaf('vehicle.restored', record)];
      const entry = { kind: 'vehicle.restored', details: `${operation.rego} restored`, changes: [], leaves };
      return effect(state, by, { record, outcome: { restored: true }, entry });
    }
    case 'decide': {
      if (live === undefined) return nothing({ decided: false, reason: gone });
      const { validated, reason, rego } = operation;
      if (live.validated === validated) return nothing({ decided: true });
      const record = { ...live, validated, version: live.version + 1 };
      const kind = validated ? 'vehicle.validated' : 'validation.withdrawn';
      const changes = [{ field: 'calibration_validated', from: !validated, to: validated }];
      const entry = { kind, details: `${rego}: ${reason}`, changes, leaves: [decisionLeaf(record)] };
      return effect(state, by, { record, decision: decisionOf(record, by, reason), outcome: { decided: true }, entry });
    }
    case 'record':
      return live === undefined
        ? nothing({ recorded: false, reason: gone })
        : recordReading(state, by, operation, live);
    case 'correct':
      return live === undefined ? nothing({ corrected: false, reason: gone }) : correct(state, by, operation, live);
  }
}

type Of<Name extends VehicleOperation['do']> = Extract<VehicleOperation, { do: Name }>;

function register(state: VehicleState, by: Client, operation: Of<'register'>): Move {
  const { mark, notes, rego } = operation;
  const decides = by.role === 'admin';
  const [validated, dueOn] = decides ? [operation.validated, operation.dueOn] : [false, null];
  const record = { mark, live: true, version: nextVersion(state), notes, dueOn, validated };
  const isDecided = decides && (validated || dueOn !== null);
  const leaves = [vehicleLeaf('vehicle.registered', record), ...(isDecided ? [decisionLeaf(record)] : [])];
  const entry = { kind: 'vehicle.added', details: `${rego} added`, changes: [], leaves };
  const decision = isDecided ? { decision: decisionOf(record, by, '') } : {};
  return effect(state, by, { record, ...decision, outcome: { registered: true }, entry });
}

function update(state: VehicleState, by: Client, operation: Of<'update'>, live: Held): Move {
  const { form, notes, rego } = operation;
  if (form.mark !== live.mark || form.version !== live.version)
    return { state, outcome: { updated: false, reason: 'stale', ...shown(live) } };
  const decides = by.role === 'admin';
  const { validated, dueOn } = decides ? operation : live;
  const changes: Change[] = [
    { field: 'notes', from: live.notes, to: notes },
    { field: 'next_calibration_due', from: live.dueOn, to: dueOn },
    { field: 'calibration_validated', from: live.validated, to: validated },
  ].filter(({ from, to }) => from !== to);
  if (changes.length === 0) return { state, outcome: { updated: true } };
  const record = { ...live, notes, validated, dueOn, version: live.version + 1 };
  const isDecided = changes.some(({ field }) => field !== 'notes');
  const leaves = [vehicleLeaf('vehicle.updated', record), ...(isDecided ? [decisionLeaf(record)] : [])];
  const entry = { kind: 'vehicle.updated', details: `${rego} updated`, changes, leaves };
  const decision = isDecided ? { decision: decisionOf(record, by, '') } : {};
  return effect(state, by, { record, ...decision, outcome: { updated: true }, entry });
}

function recordReading(state: VehicleState, by: Client, { rego, reading, at }: Of<'record'>, live: Held): Move {
  const id = nextId(state, at);
  const record = withDue(live, laterOf(live.dueOn, reading.dueOn));
  const changes = dueChanges(live, record);
  const leaves = [readingLeaf('calibration.recorded', id, reading)];
  const details = `${rego}: ${reading.axle} ${reading.attribute} ${reading.value}`;
  return effect(state, by, {
    record,
    reading: { ...reading, id, of: live.mark, by: by.email, measuredAt: id, corrects: null },
    outcome: { recorded: true, id },
    entry: { kind: 'calibration.recorded', details, changes, leaves },
  });
}

function correct(state: VehicleState, by: Client, operation: Of<'correct'>, live: Held): Move {
  const { rego, reading, reason, at } = operation;
  const refused = (why: Outcome): Move => ({ state, outcome: { corrected: false, ...why } });
  const wrong = state.readings.find(({ id, of }) => id === operation.id && of === live.mark);
  if (wrong === undefined) return refused({ reason: 'unknown' });
  if (by.role !== 'admin' && wrong.by !== by.email) return refused({ reason: 'not-yours' });
  const later = state.readings.find(({ corrects }) => corrects === wrong.id);
  if (later !== undefined) return refused({ reason: 'corrected-already', by: later.id });
  const id = nextId(state, at);
  const added = { ...reading, id, of: live.mark, by: by.email, measuredAt: wrong.measuredAt, corrects: wrong.id };
  // Where the wrong one had set the due date, it is now the latest of those that count; else only a later one moves it.
  const counting = [...state.readings, added].filter(
    (one) => one.of === live.mark && one.id !== wrong.id && !state.readings.some(({ corrects }) => corrects === one.id),
  );
  const dueOn =
    wrong.dueOn !== null && wrong.dueOn === live.dueOn
      ? counting.reduce<string | null>((latest, one) => laterOf(latest, one.dueOn), null)
      : laterOf(live.dueOn, reading.dueOn);
  const record = withDue(live, dueOn);
  const changes: Change[] = [
    { field: 'axle_type', from: wrong.axle, to: reading.axle },
    { field: 'calibration_attribute', from: wrong.attribute, to: reading.attribute },
    { field: 'calibration_value', from: wrong.value, to: reading.value },
    { field: 'calibration_due_date', from: wrong.dueOn, to: reading.dueOn },
  ].filter(({ from, to }) => from !== to);
  const words = ({ axle, attribute, value }: Reading) => `${axle} ${attribute} ${value}`;
  return effect(state, by, {
    record,
    reading: added,
    outcome: { corrected: true, id },
    entry: {
      kind: 'calibration.corrected',
      details: `${rego}: ${words(reading)} instead of ${words(wrong)}: ${reason}`,
      changes: [...changes, ...dueChanges(live, record)],
      leaves: [readingLeaf('calibration.corrected', id, reading)],
    },
  });
}

function effect(state: VehicleState, by: Client, { record, reading, decision, outcome, entry }: Effect): Move {
  const isNew = !state.records.some(({ mark }) => mark === record.mark);
  return {
    state: {
      ...state,
      records: isNew
        ? [...state.records, record]
        : state.records.map((old) => (old.mark === record.mark ? record : old)),
      readings: reading === undefined ? state.readings : [...state.readings, reading],
      decisions: decision === undefined ? state.decisions : [...state.decisions, decision],
    },
    outcome,
    entry: { by: by.email, ...entry },
  };
}

// No version is given twice under one rego, whatever record has it: by it a stale form is known.
const nextVersion = ({ records }: VehicleState) => Math.max(0, ...records.map(({ version }) => version)) + 1;

// What is recorded later is never the older one, unless the clock had been wrong by more than an hour.
function nextId({ readings }: VehicleState, now: number): number {
  const later = readings.map(({ id }) => id).filter((id) => id >= now && id < now + SET_BACK_MAX_MS);
  return later.length === 0 ? now : Math.max(...later) + 1;
}

const laterOf = (before: string | null, dueOn: string | null) =>
  dueOn !== null && (before === null || dueOn > before) ? dueOn : before;
const withDue = (live: Held, dueOn: string | null): Held =>
  dueOn === live.dueOn ? live : { ...live, dueOn, version: live.version + 1 };
const dueChanges = (before: Held, after: Held): Change[] =>
  before.dueOn === after.dueOn ? [] : [{ field: 'next_calibration_due', from: before.dueOn, to: after.dueOn }];

const shown = ({ mark, version, notes, dueOn, validated }: Held): Outcome => ({
  mark,
  version,
  notes,
  dueOn,
  validated,
});
const decisionOf = ({ mark: of, validated, dueOn }: Held, by: Client, reason: string): Decision => ({
  of,
  validated,
  dueOn,
  reason,
  by: by.email,
});

const vehicleLeaf = (type: string, { validated, dueOn }: Held): Outcome => ({ type, validated, dueOn });
const decisionLeaf = (record: Held) =>
  vehicleLeaf(record.validated ? 'calibration.validated' : 'calibration.unvalidated', record);
const readingLeaf = (type: string, id: number, { axle, attribute, value, dueOn }: Reading): Outcome => ({
  type,
  calibration: id,
  axle,
  attribute,
  value,
  dueOn,
});
