// The schemas of the forms about withdrawals of weighbridges.
import { z } from 'zod';
import { optionalText, requiredDay } from '#app/forms/text-fields.ts';
import { dayRefusal } from '#app/platform/time/entered-day.ts';
import { WITHDRAWAL_REASONS, type Span } from '#app/references/withdrawal.ts';
import { NOTE_MAX } from './note-max.ts';

export const proposalSchema = z.object({
  from: requiredDay(),
  to: requiredDay(),
  reason: z.enum(
    WITHDRAWAL_REASONS.map(({ reason }) => reason),
    { error: 'Choose a reason of the list.' },
  ),
  note: optionalText(NOTE_MAX),
});
export type ProposalField = keyof z.infer<typeof proposalSchema>;

const LONGEST_YEARS = 10;

/** Why the days are none of a withdrawal; undefined when they are. */
export function spanRefused({ fromOn, toOn }: Span): string | undefined {
  if (toOn < fromOn) return 'The last day is before the first.';
  const latest = `${String(Number(fromOn.slice(0, 4)) + LONGEST_YEARS)}${fromOn.slice(4)}`;
  return toOn > latest ? `A withdrawal has at most ${LONGEST_YEARS} years.` : undefined;
}

export type AskedSpan = {
  from: string;
  to: string;
  /** Null: not asked for, or refused. */
  span: Span | null;
  errors: { from?: string; to?: string };
};

/** The days in the address of the form. */
export function askedSpan(query: URLSearchParams): AskedSpan {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const asked = { from, to, span: null };
  if (from === '' && to === '') return { ...asked, errors: {} };
  const [fromRefused, toRefused] = [dayRefusal(from), dayRefusal(to)];
  if (fromRefused !== undefined) return { ...asked, errors: { from: fromRefused } };
  if (toRefused !== undefined) return { ...asked, errors: { to: toRefused } };
  const refusal = spanRefused({ fromOn: from, toOn: to });
  return refusal === undefined
    ? { from, to, span: { fromOn: from, toOn: to }, errors: {} }
    : { ...asked, errors: { to: refusal } };
}
