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
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { KEEP_THEIRS } from '#app/platform/http/merge-edits.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';
import { AXLES, axleGroupsText, GROUPS_MAX, isAxle } from './axle.ts';
import { detailsIn, detailsOfForm, detailsRefusal, detailsText } from './group-details.ts';
import { perField, VEHICLE_FIELDS } from './vehicle-fields.ts';
import { isPlaceholder, normaliseVin, parseRego, stateQuestion, VIN_MAX_LENGTH } from './vehicle.ts';

const yesNo = z
  .enum(['yes', 'no'], { error: 'Choose yes or no.' })
  .default('no')
  .transform((word) => word === 'yes');

const choice = ({ options, named }: { options: readonly { value: string }[]; named: string }) =>
  z
    .string()
    .default('')
    .transform((text) => (text === named ? '' : text))
    .refine(
      (text) => options.some(({ value }) => value === text),
      `Choose one of: ${options.flatMap(({ value }) => value || named || []).join(', ')}.`,
    );

const axleGroups = z
  .string()
  .default('')
  .transform((text) => text.trim().split(/\s+/).filter(Boolean))
  .refine(
    (names) => names.length <= GROUPS_MAX && names.every(isAxle),
    `At most ${GROUPS_MAX} of: ${AXLES.map(({ axle }) => axle).join(', ')}.`,
  )
  .transform((names) => axleGroupsText(names.filter(isAxle)));

const groupDetails = z
  .string()
  .default('')
  .superRefine((text, context) => {
    const message = detailsRefusal(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform((text) => detailsText(detailsIn(text)));

/**
 * The texts of the axle groups from the table in the form (group-table.tsx), which sends them part by part. A text that
 * somebody else changed and that is to be kept stays.
 */
export function foldGroups({ fields, all }: Pick<ReceivedForm, 'fields' | 'all'>): void {
  if (fields.get('groups_given') !== 'yes') return;
  const kept = all.get(KEEP_THEIRS) ?? [];
  const axles = AXLES.map(({ axle }) => axle);
  const details = detailsOfForm(axles, (name) => fields.get(name) ?? '');
  if (!kept.includes('axle_groups')) fields.set('axle_groups', (all.get('group') ?? []).join(' '));
  if (!kept.includes('group_details')) fields.set('group_details', detailsText(details));
}

/** Of a plate that is new here. */
export const regoField = z
  .string({ error: 'A rego is required: letters A to Z and digits.' })
  .transform((text, context) => {
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
  rego: regoField,
  // The schema accepts admins' fields from anyone; columnsOf() ignores them if the sender is no admin.
  ...perField('name', VEHICLE_FIELDS, {
    text: (field) => {
      if (field.kind === 'vin') return vin;
      if (field.kind === 'choice') return choice(field);
      if (field.kind === 'axle groups') return axleGroups;
      if (field.kind === 'group details') return groupDetails;
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
