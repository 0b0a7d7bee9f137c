// A withdrawal of a weighbridge: from a day to a day, both included, for a reason of a closed list. It is in force from
// its confirmation to the confirmation of its lift.
import { formatDay } from '#app/platform/time/calendar.ts';

export const WITHDRAWAL_REASONS = [
  { reason: 'out of tolerance', words: 'Out of tolerance' },
  { reason: 'verification revoked', words: 'Verification revoked' },
  { reason: 'instrument repaired without verification', words: 'Repaired without verification' },
  { reason: 'record was wrong', words: 'The record was wrong' },
] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number]['reason'];

export const withdrawalReasonWords = (reason: WithdrawalReason): string =>
  WITHDRAWAL_REASONS.find((one) => one.reason === reason)?.words ?? reason;

export type Span = { fromOn: string; toOn: string };

/** '3 to 19 May 2026', '30 April to 2 May 2026', '3 May 2026'. */
export function spanWords({ fromOn, toOn }: Span): string {
  const to = formatDay(toOn);
  if (fromOn === toOn) return to;
  const from = formatDay(fromOn).split(' ');
  // The year, or the year and the month.
  const same = [4, 7].filter((end) => fromOn.slice(0, end) === toOn.slice(0, end)).length;
  return `${from.slice(0, from.length - same).join(' ')} to ${to}`;
}

/** What pages and mails say of a visit that it reaches. */
export const withdrawnSentence = (span: Span): string =>
  `The reference it was weighed on was withdrawn for ${spanWords(span)}.`;

export type WithdrawalState = 'proposed' | 'dropped' | 'in force' | 'lift proposed' | 'lifted';

type Moments = Record<'droppedAt' | 'confirmedAt' | 'liftProposedAt' | 'liftedAt', Date | null>;

export function withdrawalState({ droppedAt, confirmedAt, liftProposedAt, liftedAt }: Moments): WithdrawalState {
  if (droppedAt !== null) return 'dropped';
  if (confirmedAt === null) return 'proposed';
  if (liftedAt !== null) return 'lifted';
  return liftProposedAt === null ? 'in force' : 'lift proposed';
}
