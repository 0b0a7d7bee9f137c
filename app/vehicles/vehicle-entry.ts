// What is typed to add or update a vehicle. The field names are the specification's. Apart from vehicle.ts, so that
// public pages load no validator.
import { z } from 'zod';
import { isDay } from '#app/platform/time/calendar.ts';
import { normaliseVin, parseRego } from './vehicle.ts';

const line = (max: number) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .normalize('NFC')
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(max, `Use at most ${max} characters.`));

const day = z
  .string()
  .default('')
  .transform((text) => text.trim())
  .refine((text) => text === '' || isReasonable(text), 'Enter a date such as 14 May 2027.')
  .transform((text) => (text === '' ? null : text));

const isReasonable = (text: string) => isDay(text) && text >= '1950-01-01' && text <= '2100-12-31';

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
  vin,
  make: line(60),
  model: line(60),
  company_name: line(200),
  driver_name: line(200),
  scale_serial_number: line(100),
  fitted_location: line(200),
  fitted_date: day,
  warranty_expiry_date: day,
  notes: z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(z.string().max(4000, 'Use at most 4,000 characters.')),
  // Admins only; what a technician sends here counts for nothing.
  next_calibration_due: day,
  calibration_validated: z
    .enum(['yes', 'no'], { error: 'Choose yes or no.' })
    .default('no')
    .transform((word) => word === 'yes'),
  reason: line(500),
  version: z.coerce.number().int().nonnegative().default(0),
});
export type VehicleInput = z.infer<typeof vehicleSchema>;
export type VehicleField = keyof typeof vehicleSchema.shape;

/** Each field of the form that is a column: the specification's name, the column, the label. */
export const VEHICLE_FIELDS = [
  { field: 'vin', column: 'vin', label: 'VIN' },
  { field: 'make', column: 'make', label: 'Make' },
  { field: 'model', column: 'model', label: 'Model' },
  { field: 'company_name', column: 'companyName', label: 'Company name' },
  { field: 'driver_name', column: 'driverName', label: 'Driver name' },
  { field: 'scale_serial_number', column: 'scaleSerialNumber', label: 'Scale serial number' },
  { field: 'fitted_location', column: 'fittedLocation', label: 'Fitted location' },
  { field: 'fitted_date', column: 'fittedOn', label: 'Fitted date' },
  { field: 'warranty_expiry_date', column: 'warrantyExpiresOn', label: 'Warranty expiry date' },
  { field: 'notes', column: 'notes', label: 'Notes' },
  { field: 'next_calibration_due', column: 'nextCalibrationDueOn', label: 'Next calibration due' },
  { field: 'calibration_validated', column: 'calibrationValidated', label: 'Calibration validated' },
] as const satisfies readonly { field: VehicleField; column: string; label: string }[];

/** A field of the form that others may change too. */
export type VehicleText = (typeof VEHICLE_FIELDS)[number]['field'];

/** Only admins change these: they decide the verdict. */
export const ADMIN_FIELDS: readonly VehicleField[] = ['next_calibration_due', 'calibration_validated'];
