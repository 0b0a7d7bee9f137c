// The schema of the form that adds or updates a vehicle, with the specification's field names. It is not in vehicle.ts,
// so that public pages do not load Zod.
import { z } from 'zod';
import {
  openedVersion,
  optionalDay,
  optionalLine,
  optionalName,
  optionalReason,
  optionalText,
} from '#app/forms/text-fields.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';
import { perField, VEHICLE_FIELDS } from './vehicle-fields.ts';
import { isPlaceholder, normaliseVin, parseRego, stateQuestion, VIN_MAX_LENGTH } from './vehicle.ts';

const yesNo = z
  .enum(['yes', 'no'], { error: 'Choose yes or no.' })
  .default('no')
  .transform((word) => word === 'yes');

const choice = (options: readonly { value: string }[]) =>
  z
    .string()
    .default('')
    .refine(
      (text) => text === '' || options.some(({ value }) => value === text),
      `Choose one of: ${options.map(({ value }) => value).join(', ')}.`,
    );

const rego = z.string({ error: 'A rego is required: letters A to Z and digits.' }).transform((text, context) => {
  const parsed = parseRego(text);
  const question = stateQuestion(text);
  if (parsed.ok && question === undefined) return parsed.rego;
  context.addIssue({ code: 'custom', message: parsed.ok ? question : parsed.message });
  return z.NEVER;
});

const vin = z
  .string()
  .default('')
  .transform((text, context) => {
    const normalised = normaliseVin(text);
    const isNone = isPlaceholder(text);
    if (normalised !== undefined && !isNone) return normalised;
    const message = isNone
      ? `${dropUnseen(text).trim().slice(0, VIN_MAX_LENGTH)} is no VIN. Where none is known, leave it empty.`
      : 'A VIN has at most 30 letters A to Z and digits.';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const vehicleSchema = z.object({
  rego,
  // The schema accepts admins' fields from anyone; columnsOf() ignores them if the sender is no admin.
  ...perField('name', VEHICLE_FIELDS, {
    text: (field) => {
      if (field.kind === 'vin') return vin;
      if (field.kind === 'choice') return choice(field.options);
      if (field.kind === 'text') return optionalText(field.maxLength);
      return field.name.endsWith('_name') ? optionalName(field.maxLength) : optionalLine(field.maxLength);
    },
    day: () => optionalDay(),
    yesNo: () => yesNo,
  }),
  reason: optionalReason,
  version: openedVersion,
});
export type VehicleInput = z.infer<typeof vehicleSchema>;
export type VehicleField = keyof typeof vehicleSchema.shape;
