// What the registry keeps under one rego, as the model of histories has it: plain data.
import type { Decision as VisitDecision, VisitState } from '#app/visits/visit.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { Change, Client, Entry, Outcome, Reading, Rules } from './operation.ts';

/** The registry's zone in all histories. */
export const ZONE = 'Australia/Sydney';
export const dayOf = (ms: number): string => todayIn(ZONE, new Date(ms));

export type Held = {
  mark: string;
  live: boolean;
  version: number;
  notes: string;
  dueOn: string | null;
  validated: boolean;
  restsOn: '' | 'visit' | 'nothing';
};
/** `visit`: the one that it was read at; null for what an import brought as it stood. */
export type Read = Reading & {
  id: number;
  of: string;
  by: string;
  measuredAt: number;
  corrects: number | null;
  visit: number | null;
};
export const FIRST_RULES: Rules = { plausible: 'must', everyVisitWaits: false };

/** A withdrawal in force. */
export type InForce = { fromOn: string; toOn: string; confirmedAt: number };

/** `visit`: when it was opened, which no other visit under the rego has; it names the visit. */
export type Visit = {
  visit: number;
  of: string;
  by: string;
  day: string;
  state: VisitState;
  dueOn: string | null;
  handDueOn: string | null;
  keptFrom: number | null;
  isStretched: boolean;
  decided: VisitDecision | null;
  decidedAt: number | null;
  /** When an admin first let it count. */
  acceptedAt: number | null;
  /** By what is known when it was judged last, a record with its rego was removed before its own was added. */
  isOfAnew: boolean;
  /** On the weighbridge of the register; and whether that is withdrawn, and what it was before. */
  isWeighed: boolean;
  isWithdrawn: boolean;
  beforeRecall: 'counts' | 'accepted' | null;
  /** Those that it was judged by; null while it is open. */
  rules: Rules | null;
};
type Decision = { of: string; validated: boolean; dueOn: string | null; reason: string; by: string };

/** `kept`: the answers to forms that had an effect, by their key. */
export type VehicleState = {
  records: readonly Held[];
  readings: readonly Read[];
  visits: readonly Visit[];
  decisions: readonly Decision[];
  /**
   * The truck that an import brought: the version that it gave it, and the editions of its record and of its entries.
   */
  imported: { mark: string; version: number; fields: number; entries: number } | null;
  kept: Readonly<Record<string, Outcome>>;
};
export const NO_VEHICLE: VehicleState = {
  records: [],
  readings: [],
  visits: [],
  decisions: [],
  imported: null,
  kept: {},
};

export const liveIn = ({ records }: VehicleState): Held | undefined => records.find(({ live }) => live);

export function recordIn({ records }: VehicleState, mark: string): Held {
  const found = records.find((one) => one.mark === mark);
  if (found === undefined) throw new Error(`there is no record ${mark}`);
  return found;
}

/** With the record as it is now, or a new one. */
export function withRecord(state: VehicleState, record: Held): VehicleState {
  const isNew = !state.records.some(({ mark }) => mark === record.mark);
  const records = isNew
    ? [...state.records, record]
    : state.records.map((old) => (old.mark === record.mark ? record : old));
  return { ...state, records };
}

export const withVisit = (state: VehicleState, visit: Visit): VehicleState => ({
  ...state,
  visits: state.visits.some((old) => old.visit === visit.visit)
    ? state.visits.map((old) => (old.visit === visit.visit ? visit : old))
    : [...state.visits, visit],
});

export const withDecision = (
  state: VehicleState,
  record: Held,
  by: Pick<Client, 'email'>,
  reason: string,
): VehicleState => {
  const { mark: of, validated, dueOn } = record;
  return { ...state, decisions: [...state.decisions, { of, validated, dueOn, reason, by: by.email }] };
};

// No version is given twice under one rego, whatever record has it: by it a stale form is known.
export const nextVersion = ({ records }: VehicleState): number =>
  Math.max(0, ...records.map(({ version }) => version)) + 1;

const SET_BACK_MAX_MS = 3_600_000;
// What is recorded later is never the older one, unless the clock had been wrong by more than an hour.
export function nextId({ readings }: VehicleState, now: number): number {
  const later = readings.map(({ id }) => id).filter((id) => id >= now && id < now + SET_BACK_MAX_MS);
  return later.length === 0 ? now : Math.max(...later) + 1;
}

/** When the truck was calibrated last. */
export function lastCalibrated({ readings }: VehicleState, mark: string): number | undefined {
  const times = readings.filter(({ of }) => of === mark).map(({ measuredAt }) => measuredAt);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The readings that no correction supersedes. */
export const currentReadings = ({ readings }: VehicleState): Read[] =>
  readings.filter(({ id }) => !readings.some(({ corrects }) => corrects === id));

/** The verdict on that day, as evidence.md has it. Best last. */
export const VERDICTS = ['never-calibrated', 'not-validated', 'overdue', 'due-soon', 'valid'] as const;
type Verdict = (typeof VERDICTS)[number];
export function verdictOf(state: VehicleState, { mark, validated, restsOn, dueOn }: Held, today: string): Verdict {
  if (lastCalibrated(state, mark) === undefined) return 'never-calibrated';
  if (!validated || restsOn === 'nothing') return 'not-validated';
  if (dueOn === null || dueOn > addDays(today, 30)) return 'valid';
  return dueOn >= today ? 'due-soon' : 'overdue';
}

export const shown = (state: VehicleState, record: Held, today: string): Outcome => {
  const { mark, version, notes, dueOn, validated } = record;
  return { mark, version, notes, dueOn, validated, verdict: verdictOf(state, record, today) };
};

export const vehicleLeaf = (type: string, { validated, dueOn }: Held): Outcome => ({ type, validated, dueOn });
export const decisionLeaf = (record: Held): Outcome =>
  vehicleLeaf(record.validated ? 'calibration.validated' : 'calibration.unvalidated', record);

export const dueChanges = (from: string | null, to: string | null): Change[] =>
  from === to ? [] : [{ field: 'next_calibration_due', from, to }];

export const entryBy = (by: Pick<Client, 'email'>, entry: Omit<Entry, 'by'>): Entry => ({ by: by.email, ...entry });
/** What happens by itself. */
export const NOBODY = { email: '' };
