// What is typed to record a reading or to correct one. Apart from calibration.ts, so that public pages load no validator.
import { z } from 'zod';
import { addDays, isDay } from '#app/platform/time/calendar.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { LONGEST_INTERVAL_DAYS } from '#app/policy/policy.ts';
import { AXLES, CALIBRATION_ATTRIBUTES, unitOf, type Axle, type CalibrationAttribute } from './calibration.ts';

/** Axle choices as the specification writes them; kept upper-cased. */
const AXLE_WORDS = ['steer', 'drive', 'trailerA', 'trailerB'] as const;

const isAxle = (text: string): text is Axle => AXLES.some(({ axle }) => axle === text);
const isAttribute = (text: string): text is CalibrationAttribute =>
  CALIBRATION_ATTRIBUTES.some(({ attribute }) => attribute === text);

const dueDay = z
  .string()
  .default('')
  .transform((text) => text.trim())
  .refine((text) => text === '' || isDay(text), 'Enter a date such as 14 May 2027.')
  .transform((text) => (text === '' ? null : text));

/** Why `due` is none for a calibration of `day`; undefined where it is. */
export function dueRefusal(due: string, day: string): string | undefined {
  if (due < day) return 'The due date is before the calibration.';
  return due > addDays(day, LONGEST_INTERVAL_DAYS)
    ? `The due date is more than ${LONGEST_INTERVAL_DAYS} days after the calibration. Check the year.`
    : undefined;
}

/** A due date that is not in the past, or none. `today` in the registry's zone. */
export const dueDayFrom = (today: string) =>
  dueDay.refine((due) => due === null || due >= today, 'The due date is in the past.');

const fields = z.object({
  axle: z
    .string({ error: 'Choose an axle.' })
    .transform((word) => word.trim().toUpperCase())
    .refine(isAxle, `Choose an axle: ${AXLE_WORDS.join(', ')}.`),
  attribute: z.string({ error: 'Choose an attribute.' }).trim().refine(isAttribute, 'Choose an attribute.'),
  // A decimal number, kept exactly as entered: no rounding ever.
  value: z
    .string({ error: 'Enter the value.' })
    .trim()
    .min(1, { error: 'Enter the value.', abort: true })
    .transform((text, context) => {
      const entered = readNumber(text, '15640 or 3.18');
      if (entered.ok) return entered.value;
      context.addIssue({ code: 'custom', message: entered.message });
      return z.NEVER;
    }),
  due_date: dueDay,
});

const isPossible = ({ attribute, value }: { attribute: CalibrationAttribute; value: string }) =>
  unitOf(attribute) !== 'kg' || !value.startsWith('-');
const IMPOSSIBLE = { path: ['value'], message: 'A weight cannot be below zero.' };

const schemaOn = (today: string) =>
  fields
    .extend({
      due_date: dueDayFrom(today).superRefine((due, context) => {
        const message = due === null || due < today ? undefined : dueRefusal(due, today);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
    })
    .refine(isPossible, IMPOSSIBLE);
let latest: { today: string; schema: ReturnType<typeof schemaOn> } | undefined;

/** A new reading; `today` in the registry's zone. A schema is compiled when it first parses: once a day, not once a form. */
export function calibrationSchema(today: string): ReturnType<typeof schemaOn> {
  if (latest?.today !== today) latest = { today, schema: schemaOn(today) };
  return latest.schema;
}
export type CalibrationInput = z.infer<ReturnType<typeof calibrationSchema>>;

/** A correction: the reading as it should have been, and why. */
export const correctionSchema = fields
  .extend({
    reason: z
      .string({ error: 'Give a reason for the correction.' })
      .transform((text) => text.normalize('NFC').trim())
      .pipe(z.string().min(1, 'Give a reason for the correction.').max(500, 'Use at most 500 characters.')),
  })
  .refine(isPossible, IMPOSSIBLE);
export type CorrectionInput = z.infer<typeof correctionSchema>;
