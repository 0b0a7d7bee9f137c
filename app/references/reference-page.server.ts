// What the page of a weighbridge shows. Who withdrew a period and why is for admins only.
import type { Services } from '#app/platform/services/services.server.ts';
import { aboutFile } from '#app/files/about-file.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { checkRecords, findingOf } from '#app/transparency-log/check-records.server.ts';
import { recordName, type RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { gapSentence, gapsOf, periodBar } from './periods.ts';
import { coverageSentence, presentCoverage } from './present-reference.ts';
import {
  findCoverage,
  findReference,
  listRepairs,
  listVerifications,
  type ShownVerification,
} from './queries.server.ts';
import { kilograms, stateWords, tonnes } from './reference.ts';
import { spanWords, withdrawalReasonWords, withdrawalState, type WithdrawalState } from './withdrawal.ts';
import { listWithdrawals, type Withdrawal } from './withdrawal-queries.server.ts';
import type { ShownPeriod } from './verification-card.tsx';

export type ReferencePage = NonNullable<Awaited<ReturnType<typeof referencePage>>>;

/** Those in force; for admins all but the dropped ones. */
export type ShownWithdrawal = { id: string; words: string };

type SeenBy = 'anyone' | 'office';

/** Undefined: there is none with this id, which may be any text. */
export async function referencePage(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  id: string,
  seenBy: SeenBy,
) {
  const reference = await findReference(db, id);
  if (reference === undefined) return undefined;
  const { timeZone } = config;
  const today = todayIn(timeZone, now());
  const [verifications, repairs, coverage, withdrawals] = await Promise.all([
    listVerifications(db, id),
    listRepairs(db, id),
    findCoverage(db, id, today),
    listWithdrawals(db, id),
  ]);
  const refs: RecordRef[] = [
    { table: 'reference', key: id },
    ...verifications.map(({ id: key }) => ({ table: 'reference_verification' as const, key })),
    ...repairs.map(({ id: key }) => ({ table: 'reference_repair' as const, key })),
    ...withdrawals.map(({ id: key }) => ({ table: 'reference_withdrawal' as const, key })),
  ];
  const checks = await checkRecords(db, refs);
  const check = checks.get(recordName({ table: 'reference', key: id }));
  const current = verifications.filter(({ removedAt }) => removedAt === null);
  const { name, place, state, latitude, longitude, operator, capacityKg, intervalKg, publicLicence } = reference;
  return {
    id,
    name,
    coverage: presentCoverage(coverage, today),
    answer: coverageSentence(coverage, today),
    asAt: formatMoment(now(), timeZone),
    // What is not as it was logged, in sentences.
    mismatches: refs.flatMap((ref) => findingOf(ref, checks.get(recordName(ref))) ?? []),
    verifications: {
      periods: verifications.map((verification) => presentPeriod(verification, today, { zone: timeZone, seenBy })),
      bar: periodBar(current, today),
      gaps: gapsOf(current).map(gapSentence),
    },
    repairs: repairs.map(({ id: key, onDay, note }) => ({ id: key, on: formatDay(onDay), note })),
    withdrawals: withdrawals.flatMap((withdrawal) => presentWithdrawal(withdrawal, seenBy)),
    facts: {
      operator,
      place: `${place}, ${stateWords(state)}`,
      coordinates: latitude === '' ? '' : `${presentDegrees(latitude)}, ${presentDegrees(longitude)}`,
      capacity: tonnes(capacityKg),
      interval: kilograms(intervalKg),
      licence: publicLicence,
    },
    since: formatDay(todayIn(timeZone, reference.addedAt)),
    // The index of its latest entry in the public log.
    entry: check === undefined || check.state === 'no-leaf' ? null : check.index,
  };
}

const WITHDRAWAL_WORDS = {
  proposed: 'Proposed: withdrawn',
  dropped: 'Dropped: withdrawn',
  'in force': 'Withdrawn',
  'lift proposed': 'Withdrawn (lifting it is proposed)',
  lifted: 'Lifted: withdrawn',
} as const satisfies Record<WithdrawalState, string>;

// What is not in force is for admins.
function presentWithdrawal(withdrawal: Withdrawal, seenBy: SeenBy): ShownWithdrawal[] {
  const state = withdrawalState(withdrawal);
  if (seenBy === 'anyone' && state !== 'in force' && state !== 'lift proposed') return [];
  const reason = withdrawalReasonWords(withdrawal.reason).toLowerCase();
  return [{ id: withdrawal.id, words: `${WITHDRAWAL_WORDS[state]} for ${spanWords(withdrawal)}: ${reason}.` }];
}

const DECIMALS_MIN = 4;

// Four decimals name a place to eleven metres.
function presentDegrees(text: string): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  return Number(text).toFixed(Math.max(DECIMALS_MIN, decimals)).replace('-', '\u2212');
}

function stateOf({ fromOn, toOn, removedAt }: ShownVerification, today: string): ShownPeriod['state'] {
  if (removedAt !== null) return 'withdrawn';
  if (toOn < today) return 'past';
  return fromOn > today ? 'future' : 'current';
}

function presentPeriod(
  verification: ShownVerification,
  today: string,
  { zone, seenBy }: { zone: string; seenBy: SeenBy },
): ShownPeriod {
  const { id, certificateNumber, fromOn, toOn, fileId, mediaType, size, removedAt, removedReason, remover } =
    verification;
  const both = (day: string) => ({ long: formatDay(day), short: formatDay(day, 'short') });
  return {
    id,
    certificate: certificateNumber,
    from: both(fromOn),
    to: both(toOn),
    state: stateOf(verification, today),
    withdrawn: removedAt === null ? '' : withdrawnWords(formatDay(todayIn(zone, removedAt))),
    file:
      fileId === null || removedAt !== null
        ? null
        : { href: `/files/${fileId}`, about: aboutFile({ mediaType, size }) },
  };

  function withdrawnWords(on: string): string {
    return seenBy === 'office'
      ? `Withdrawn on ${on} by ${remover ?? 'Anonymous'}: ${removedReason}`
      : `Withdrawn on ${on} as wrong`;
  }
}
