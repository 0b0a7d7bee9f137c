// The schema of the form that adds or updates a vehicle, with the specification's field names. It is not in vehicle.ts,
// so that public pages do not load Zod.
import { z } from 'zod';
import { openedVersion, optionalDay, optionalLine, optionalReason, optionalText } from '#app/forms/text-fields.ts';
import { perField, VEHICLE_FIELDS } from './vehicle-fields.ts';
import { normaliseVin, parseRego } from './vehicle.ts';

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
  if (parsed.ok) return parsed.rego;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

const vin = z
  .string()
  .default('')
  .transform((text, context) => {
    const normalised = normaliseVin(text);
    if (normalised !== undefined) return normalised;
    context.addIssue({ code: 'custom', message: 'A VIN has at most 30 letters A to Z and digits.' });
    return z.NEVER;
  });

export const vehicleSchema = z.object({
  rego,
  // The schema accepts admins' fields from anyone; columnsOf() ignores them if the sender is no admin.
  ...perField('name', VEHICLE_FIELDS, {
    text: (field) => {
      if (field.kind === 'vin') return vin;
      if (field.kind === 'choice') return choice(field.options);
      return field.kind === 'line' ? optionalLine(field.maxLength) : optionalText(field.maxLength);
    },
    day: () => optionalDay(),
    yesNo: () => yesNo,
  }),
  reason: optionalReason,
  version: openedVersion,
});
export type VehicleInput = z.infer<typeof vehicleSchema>;
export type VehicleField = keyof typeof vehicleSchema.shape;
