// What an import does to the records of a rego: it brings a truck as it stood, and, once a visit was recorded here,
// changes no date and no tick, and leaves its new entries to the checks.
import type { Step } from './linearize.ts';
import type { Entry, Outcome, VehicleOperation } from './operation.ts';
import {
  dayOf,
  NOBODY,
  recordIn,
  withDecision,
  withRecord,
  withVisit,
  type Held,
  type VehicleState,
} from './vehicle-state.ts';
import { close, openedVisit, type Found, type WrittenOutcome } from './visit-rules.ts';

type Move = Step<VehicleState>;
type Operation = Extract<VehicleOperation, { do: 'import' }>;
const DONE = { imported: true };

export function importTruck(state: VehicleState, operation: Operation, found: Found): Move {
  const { edition } = operation;
  const known = state.imported;
  if (known === null) return state.records.length > 0 ? { state, outcome: DONE } : add(state, operation);
  if (known.fields === edition.number && known.entries === edition.number) return { state, outcome: DONE };
  const record = recordIn(state, known.mark);
  if (!record.live) return { state, outcome: DONE };
  const hasVisits = state.visits.some(({ of }) => of === record.mark);
  const isOther = known.fields !== edition.number;
  const isKept = isOther && record.version !== known.version;
  const updated = isOther && !isKept ? updatedBy(state, record, edition, hasVisits) : { state, kinds: [] };
  const noted = {
    ...known,
    fields: isKept ? known.fields : edition.number,
    entries: edition.number,
    version: isOther && !isKept ? known.version + 1 : known.version,
  };
  const {
    state: grown,
    judged,
    count,
  } = withEntries({ ...updated.state, imported: noted }, record.mark, operation, hasVisits, found);
  const kinds = [...updated.kinds, ...(count > 0 ? ['calibration.imported'] : [])];
  const leaves = judged === undefined ? [] : [{ type: 'visit.closed', ...judged.leaf }];
  return { state: grown, outcome: DONE, ...logged(kinds, leaves) };
}

const logged = (kinds: readonly string[], leaves: readonly Outcome[]): { entries?: readonly Entry[] } =>
  kinds.length === 0 ? {} : { entries: [{ kind: 'import', by: '', details: kinds.join(' '), changes: [], leaves }] };

function add(state: VehicleState, operation: Operation): Move {
  const { mark, number, dueOn } = operation.edition;
  const record: Held = { mark, live: true, version: 1, notes: '', dueOn, validated: true, restsOn: '' };
  const added = withDecision(withRecord(state, record), record, NOBODY, '');
  const imported = { mark, version: 1, fields: number, entries: number };
  const { state: grown } = withEntries({ ...added, imported }, mark, operation, false, undefined);
  return { state: grown, outcome: DONE, ...logged(['vehicle.imported', 'calibration.imported'], []) };
}

function updatedBy(state: VehicleState, record: Held, { dueOn }: Operation['edition'], hasVisits: boolean) {
  const now = { ...record, notes: '', ...(hasVisits ? {} : { dueOn, validated: true }), version: record.version + 1 };
  const isDecided = now.dueOn !== record.dueOn || now.validated !== record.validated;
  const written = withRecord(state, now);
  return { state: isDecided ? withDecision(written, now, NOBODY, '') : written, kinds: ['vehicle.updated'] };
}

// The new entries of a truck with visits are one visit: nobody says that its rego was read on the truck.
function withEntries(
  state: VehicleState,
  mark: string,
  { edition, visits }: Operation,
  hasVisits: boolean,
  found: Found | undefined,
): { state: VehicleState; count: number; judged?: WrittenOutcome } {
  const fresh = edition.readings.filter(({ id }) => !state.readings.some((one) => one.id === id && one.of === mark));
  const [first] = fresh;
  const isJudged = hasVisits && found !== undefined && first !== undefined;
  const openedAt = visits[first?.id ?? 0] ?? 0;
  const read = fresh.map(({ id, ...reading }) => ({
    ...reading,
    id,
    of: mark,
    by: '',
    measuredAt: id,
    corrects: null,
    visit: isJudged ? openedAt : null,
  }));
  const grown = { ...state, readings: [...state.readings, ...read] };
  if (!isJudged) return { state: grown, count: fresh.length };
  const visit = openedVisit(mark, '', openedAt, dayOf(first.id));
  const judged = close(withVisit(grown, visit), visit, found);
  return { state: judged.state, count: fresh.length, judged };
}
