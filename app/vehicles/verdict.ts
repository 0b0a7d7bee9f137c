// The verdict: can this truck's scale be trusted today? It is computed on each read from the record and today's date in
// the registry's zone, and never stored.
import { addDays, daysBetween, formatDay, instantOf } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { VERDICTS, type Interval, type Verdict } from './verdict-table.ts';

/**
 * The input of the verdict. `nextDueOn` is a day; the calibration is valid to its end. `noneCounts`: visits are
 * recorded, and none counts. `withdrawnOn`: the day on which the validation was withdrawn; only the sentence uses it.
 * NOT_TOLD: it may have been withdrawn, or never given.
 */
export type VerdictFacts = {
  hasCalibration: boolean;
  validated: boolean;
  noneCounts: boolean;
  nextDueOn: string | null;
  withdrawnOn?: string | null;
};
export const NOT_TOLD = 'not told';

/** The part of the policy that the verdict depends on. */
export type VerdictPolicy = Pick<Policy, 'dueSoonDays'>;

/** The verdict with its texts. `tick`: whether 'Valid Calibration' shows a tick. */
export type Judgement = { verdict: Verdict; word: string; tick: boolean; sentence: string };

/** What the verdict asks of a vehicle's record. */
export const verdictFacts = ({
  lastCalibratedAt,
  calibrationValidated,
  restsOn = '',
  nextCalibrationDueOn,
}: {
  lastCalibratedAt: Date | null;
  calibrationValidated: boolean;
  /** Left out where `calibrationValidated` says it already, as in lists. */
  restsOn?: string;
  nextCalibrationDueOn: string | null;
}): VerdictFacts => ({
  hasCalibration: lastCalibratedAt !== null,
  validated: calibrationValidated,
  noneCounts: restsOn === 'nothing',
  nextDueOn: nextCalibrationDueOn,
});

/**
 * The stored due date in words. One without a visit that counts stays as it was typed, and is not in force: it counts
 * for nothing.
 */
export function dueWords(vehicle: Parameters<typeof verdictFacts>[0], month: 'long' | 'short' = 'long'): string | null {
  const { nextDueOn } = verdictFacts(vehicle);
  if (nextDueOn === null) return null;
  return `${formatDay(nextDueOn, month)}${isDueInForce(vehicle) ? '' : ' (not in force)'}`;
}

export function isDueInForce(vehicle: Parameters<typeof verdictFacts>[0]): boolean {
  const { hasCalibration, noneCounts } = verdictFacts(vehicle);
  return hasCalibration && !noneCounts;
}

/** When it was calibrated last, so that it counts: with no visit that rules, when what was taken over was read. */
export const lastCountedAt = (vehicle: Parameters<typeof verdictFacts>[0], ruledAt: Date | null = null): Date | null =>
  ruledAt ?? (isDueInForce(vehicle) ? vehicle.lastCalibratedAt : null);

/** Judges a vehicle as at `today`, by `policy`. */
export function judge(facts: VerdictFacts, today: string, policy: VerdictPolicy): Judgement {
  const row = VERDICTS.find((candidate) => fits(candidate, facts, { today, ...policy }));
  if (row === undefined) throw new Error('the verdict table does not cover every case');
  const { verdict, word, tick } = row;
  return { verdict, word, tick, sentence: sentenceOf(verdict, facts, { today, words: TODAY }) };
}

type Row = { validated?: boolean; calibrated: boolean; dueIn?: (soon: number) => Interval };

function fits(row: Row, facts: VerdictFacts, { today, dueSoonDays }: { today: string } & VerdictPolicy): boolean {
  if (row.calibrated !== facts.hasCalibration) return false;
  if (row.validated !== undefined && row.validated !== (facts.validated && !facts.noneCounts)) return false;
  if (row.dueIn === undefined) return true;
  const { from = -Infinity, to = Infinity, orNone } = row.dueIn(dueSoonDays);
  if (facts.nextDueOn === null) return orNone === true;
  const dueIn = daysBetween(today, facts.nextDueOn);
  return dueIn >= from && dueIn <= to;
}

/**
 * When the latest validation was withdrawn, by all decisions in order of time. Null: never validated, or not withdrawn.
 */
export function withdrawnAt(decisions: readonly { at: Date | string; validated: boolean | null }[]): Date | null {
  const last = decisions.findLastIndex(({ validated }) => validated === true);
  const withdrawal = last === -1 ? undefined : decisions[last + 1];
  return withdrawal === undefined ? null : instantOf(withdrawal.at);
}

/** The interval of a verdict as bounds for SQL: `dueFrom` and `dueTo` are days, inclusive. */
export type VerdictBounds = {
  validated: boolean | null;
  calibrated: boolean;
  dueFrom: string | null;
  dueTo: string | null;
  orNoDue: boolean;
};

/** The bounds of `verdict` as at `today`, by `policy`, for filters and counts in SQL. */
export function verdictBounds(verdict: Verdict, today: string, { dueSoonDays }: VerdictPolicy): VerdictBounds {
  const row: Row | undefined = VERDICTS.find((candidate) => candidate.verdict === verdict);
  if (row === undefined) throw new Error(`unknown verdict: ${verdict}`);
  const { from, to, orNone }: Interval = row.dueIn?.(dueSoonDays) ?? { orNone: true };
  return {
    validated: row.validated ?? null,
    calibrated: row.calibrated,
    dueFrom: from === undefined ? null : addDays(today, from),
    dueTo: to === undefined ? null : addDays(today, to),
    orNoDue: orNone === true,
  };
}

// What a sentence says of `today`, and of a day that is over.
const TODAY = { valid: 'Valid today. ', notValid: 'Not valid today. ', ago: 'ago', soon: ['today', 'tomorrow'] };
const THAT_DAY: typeof TODAY = { valid: '', notValid: '', ago: 'before', soon: ['that day', 'the day after'] };

/** What was said at the end of `day`, which is over. */
export function saidOn(facts: VerdictFacts, day: string, policy: VerdictPolicy): string {
  const said = sentenceOf(judge(facts, day, policy).verdict, facts, { today: day, words: THAT_DAY });
  return `At the end of that day the registry said: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

function sentenceOf(
  verdict: Verdict,
  { nextDueOn: due, noneCounts, withdrawnOn }: VerdictFacts,
  { today, words: { valid, notValid, ago, soon } }: { today: string; words: typeof TODAY },
): string {
  if (verdict === 'never-calibrated') return `${notValid}No calibration has been recorded for this vehicle.`;
  if (verdict === 'not-validated') {
    if (noneCounts) return `${notValid}Calibrations are recorded, but none counts.`;
    if (withdrawnOn === NOT_TOLD) return `${notValid}No administrator stands for the calibrations that are recorded.`;
    return withdrawnOn == null
      ? `${notValid}Calibrations are recorded, but none has been validated.`
      : `${notValid}The validation was withdrawn on ${formatDay(withdrawnOn)}.`;
  }
  // Nothing is overdue or due soon without a due date.
  if (due === null) return `${valid}No due date is recorded.`;
  const dueIn = daysBetween(today, due);
  const away = `${Math.abs(dueIn)} ${Math.abs(dueIn) === 1 ? 'day' : 'days'}`;
  const on = `on ${formatDay(due)}`;
  if (verdict === 'overdue') return `${notValid}Calibration was due ${on}, ${away} ${ago}.`;
  if (verdict === 'valid') return `Next calibration due ${on}, in ${away}.`;
  return `${valid}Next calibration due ${soon[dueIn] ?? `${on}, in ${away}`}.`;
}
