// What is typed to change the policy. Apart from policy.ts, so that public pages load no validator.
import { z } from 'zod';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { LONGEST_INTERVAL_DAYS, type Policy } from './policy.ts';

// Without the commas that group thousands; what is no number is refused after it.
function plainNumber(text: string): string {
  const entered = readNumber(text, '');
  return entered.ok ? entered.value : text;
}

const wholeNumber = (from: number, to: number, unit: string) =>
  z
    .string()
    .default('')
    .transform(plainNumber)
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= from && Number(text) <= to, {
      error: `Enter whole ${unit} from ${from.toLocaleString('en-AU')} to ${to.toLocaleString('en-AU')}.`,
      abort: true,
    })
    .transform(Number);

export const policySchema = z
  .object({
    interval_days: wholeNumber(1, LONGEST_INTERVAL_DAYS, 'days'),
    due_soon_days: wholeNumber(1, 365, 'days'),
    tolerance_percent: z
      .string()
      .default('')
      .transform((text) => plainNumber(text.replace(/\s*%\s*$/, '')))
      .refine((text) => /^\d{1,2}(\.\d)?$/.test(text) && perMille(text) >= 1 && perMille(text) <= 500, {
        error: 'Enter a percentage from 0.1 to 50, with at most one decimal.',
        abort: true,
      })
      .transform(perMille),
    tolerance_kg: wholeNumber(1, 10_000, 'kilograms'),
    reason: z
      .string()
      .default('')
      .transform((text) =>
        text
          .normalize('NFC')
          .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
          .trim(),
      )
      .pipe(z.string().max(500, 'Use at most 500 characters.')),
    version: z.coerce.number().int().nonnegative().default(0),
  })
  .refine(({ due_soon_days: soon, interval_days: interval }) => soon < interval, {
    path: ['due_soon_days'],
    message: 'Enter fewer days than the default interval.',
  });
export type PolicyInput = z.infer<typeof policySchema>;
export type PolicyField = keyof typeof policySchema.shape;

// Decimal text, without the rounding of a binary fraction.
function perMille(text: string): number {
  const [whole = '0', tenths = '0'] = text.split('.');
  return Number(whole) * 10 + Number(tenths);
}

/** The policy that a form asks for, without its number. */
export const valuesOf = (input: PolicyInput): Omit<Policy, 'version'> => ({
  intervalDays: input.interval_days,
  dueSoonDays: input.due_soon_days,
  tolerancePerMille: input.tolerance_percent,
  toleranceKg: input.tolerance_kg,
});
