// The schema of the policy's form. Separate from policy.ts, so that public pages do not load Zod.
import { z } from 'zod';
import { openedVersion, optionalReason } from '#app/forms/text-fields.ts';
import { readNumber, type EnteredUnit } from '#app/platform/http/entered-number.ts';
import { CHECK_RULES, MOST_INTERVAL_DAYS, type PolicyRules } from './policy.ts';

// Without commas that group thousands and without the unit. Other text passes as it is, and the next check refuses it.
function plainNumber(text: string, unit: EnteredUnit): string {
  const entered = readNumber(text, '', unit);
  return entered.ok ? entered.value : text;
}

const wholeNumber = (from: number, to: number, unit: 'days' | 'kg') =>
  z
    .string()
    .default('')
    .transform((text) => plainNumber(text, unit))
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= from && Number(text) <= to, {
      error: `Enter whole ${unit === 'kg' ? 'kilograms' : unit} from ${from.toLocaleString('en-AU')} to ${to.toLocaleString('en-AU')}.`,
      abort: true,
    })
    .transform(Number);

// Both limits in per mille.
const percent = (from: number, to: number) =>
  z
    .string()
    .default('')
    .transform((text) => plainNumber(text, '%'))
    .refine((text) => /^\d{1,3}(\.\d)?$/.test(text) && perMille(text) >= from && perMille(text) <= to, {
      error: `Enter a percentage from ${from / 10} to ${to / 10}, with at most one decimal.`,
      abort: true,
    })
    .transform(perMille);

const rule = z.enum(CHECK_RULES, { error: 'Choose one of the three.' });
const alwaysMust = z.literal('must', { error: 'This check must always be passed.' }).default('must');

export const policySchema = z
  .object({
    interval_days: wholeNumber(1, MOST_INTERVAL_DAYS, 'days'),
    due_soon_days: wholeNumber(1, 365, 'days'),
    tolerance_percent: percent(1, 500),
    tolerance_kg: wholeNumber(1, 10_000, 'kg'),
    longest_interval_days: wholeNumber(1, MOST_INTERVAL_DAYS, 'days'),
    prompt_days: wholeNumber(0, 60, 'days'),
    check_visits_percent: percent(0, 1000),
    assumed_interval_kg: wholeNumber(1, 1000, 'kg'),
    every_visit_waits: z.enum(['yes', 'no'], { error: 'Choose yes or no.' }).transform((text) => text === 'yes'),
    check_complete: alwaysMust,
    check_interval: alwaysMust,
    check_truck: rule,
    check_prompt: rule,
    check_plausible: rule,
    check_agrees: rule,
    check_standing: rule,
    check_load: rule,
    check_reference: rule,
    check_ticket: rule,
    check_photo: rule,
    check_gross: rule,
    check_seals: rule,
    reason: optionalReason,
    version: openedVersion,
  })
  .refine(({ due_soon_days: soon, interval_days: interval }) => soon < interval, {
    path: ['due_soon_days'],
    message: 'Enter fewer days than the default interval.',
  })
  .refine(({ interval_days: interval, longest_interval_days: longest }) => interval <= longest, {
    path: ['interval_days'],
    message: 'Enter at most the longest interval.',
  });
export type PolicyInput = z.infer<typeof policySchema>;

// Computed from the decimal text: a binary fraction would round.
function perMille(text: string): number {
  const [whole = '0', tenths = '0'] = text.split('.');
  return Number(whole) * 10 + Number(tenths);
}

/** The policy in a form, without a version. */
export const rulesIn = (input: PolicyInput): PolicyRules => ({
  intervalDays: input.interval_days,
  dueSoonDays: input.due_soon_days,
  tolerancePerMille: input.tolerance_percent,
  toleranceKg: input.tolerance_kg,
  longestIntervalDays: input.longest_interval_days,
  promptDays: input.prompt_days,
  everyVisitWaits: input.every_visit_waits,
  checkVisitsPerMille: input.check_visits_percent,
  assumedIntervalKg: input.assumed_interval_kg,
  checks: {
    complete: input.check_complete,
    interval: input.check_interval,
    truck: input.check_truck,
    prompt: input.check_prompt,
    plausible: input.check_plausible,
    agrees: input.check_agrees,
    standing: input.check_standing,
    load: input.check_load,
    reference: input.check_reference,
    ticket: input.check_ticket,
    photo: input.check_photo,
    gross: input.check_gross,
    seals: input.check_seals,
  },
});
