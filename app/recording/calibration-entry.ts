// The schemas of the forms that record or correct a reading. They are not in calibration.ts, so that public pages do
// not load Zod.
import { z } from 'zod';
import { optionalDay, requiredReason } from '#app/forms/text-fields.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { LONGEST_INTERVAL_DAYS } from '#app/policy/policy.ts';
import { axleWord, CALIBRATION_ATTRIBUTES, unitOf, type CalibrationAttribute } from '#app/readings/calibration.ts';
import { dueRefusal } from './due-refusal.ts';
import { AXLES, isAxle } from '#app/vehicles/axle.ts';
import { OUTPUTS, type Output } from '#app/vehicles/outputs.ts';
import { readOneBox } from '#app/readings/grid-outputs.ts';

const isAttribute = (text: string): text is CalibrationAttribute =>
  CALIBRATION_ATTRIBUTES.some(({ attribute }) => attribute === text);

const dueDay = optionalDay();

/** An optional due date that is not in the past. `today` is in the registry's zone. */
export const dueDayFrom = (today: string) =>
  dueDay.refine((due) => due === null || due >= today, 'The due date is in the past.');

const fields = z.object({
  axle: z
    .string({ error: 'Choose an axle.' })
    .transform((word) => word.trim().toUpperCase())
    .refine(isAxle, `Choose an axle: ${AXLES.map(({ axle }) => axleWord(axle)).join(', ')}.`),
  attribute: z.string({ error: 'Choose an attribute.' }).trim().refine(isAttribute, 'Choose an attribute.'),
  value: z.string({ error: 'Enter the value.' }).trim().min(1, 'Enter the value.'),
  due_date: dueDay,
  /** Of an output: that of its group. */
  unit: z.enum(OUTPUTS).optional(),
  /** Of a left and a right sensor; only the value says it. */
  sides: z.string().optional(),
});

// A decimal number by the unit of its attribute. It stays text, exactly as entered, and is never rounded. It is read
// beside other errors too: one answer names them all.
type TypedReading = { attribute: string; value?: string; unit?: Output | undefined; sides?: string | undefined };
function readValue(entry: TypedReading, context: z.core.$RefinementCtx): void {
  delete entry.sides;
  if (entry.value === undefined || entry.value === '') return;
  const unit = isAttribute(entry.attribute) ? unitOf(entry.attribute) : undefined;
  if (unit === 'V' && (entry.value.includes('/') || (entry.unit ?? 'V') !== 'V')) {
    const { sides, ...read } = readOneBox(entry.value, entry.unit ?? 'V');
    if (!read.ok) return context.addIssue({ code: 'custom', message: read.message, path: ['value'] });
    [entry.value, entry.sides] = [read.value, sides];
    return;
  }
  const entered = readNumber(entry.value, '15640 or 3.18', unit);
  if (entered.ok) entry.value = entered.value;
  else context.addIssue({ code: 'custom', message: entered.message, path: ['value'] });
}
const ALWAYS = { when: () => true };

const isPossible = ({ attribute, value }: { attribute: CalibrationAttribute; value: string }) =>
  unitOf(attribute) !== 'kg' || !value.startsWith('-');
const IMPOSSIBLE = { path: ['value'], message: 'A weight cannot be below zero.' };

const schemaOn = (today: string, longestIntervalDays: number) =>
  fields
    .extend({
      due_date: dueDayFrom(today).superRefine((due, context) => {
        const message = due === null || due < today ? undefined : dueRefusal(due, today, longestIntervalDays);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
      /** Rego and VIN were read on the truck. */
      confirmed: z
        .string()
        .default('')
        .transform((word) => word === 'yes'),
    })
    .superRefine(readValue, ALWAYS)
    .refine(isPossible, IMPOSSIBLE);
let latest: { today: string; longestIntervalDays: number; schema: ReturnType<typeof schemaOn> } | undefined;

/**
 * The schema of a new reading. `today` is in the registry's zone; `longestIntervalDays` is the policy's. Zod compiles a
 * schema at its first parse, so the schema is cached: it compiles once a day, not once a form.
 */
export function calibrationSchema(
  today: string,
  longestIntervalDays: number = LONGEST_INTERVAL_DAYS,
): ReturnType<typeof schemaOn> {
  if (latest?.today !== today || latest.longestIntervalDays !== longestIntervalDays)
    latest = { today, longestIntervalDays, schema: schemaOn(today, longestIntervalDays) };
  return latest.schema;
}
export type CalibrationInput = z.infer<ReturnType<typeof calibrationSchema>>;
export type CalibrationField = keyof CalibrationInput;

/** A correction: the reading as it should have been, and why. */
export const correctionSchema = fields
  .extend({ reason: requiredReason('Give a reason for the correction.') })
  .superRefine(readValue, ALWAYS)
  .refine(isPossible, IMPOSSIBLE);
export type CorrectionInput = z.infer<typeof correctionSchema>;
