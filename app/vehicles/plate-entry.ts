// The schema of 'Change plate'.
import { z } from 'zod';
import { requiredDay } from '#app/forms/text-fields.ts';
import { PLATE_STATES, WHYS } from './plates.ts';
import { regoField } from './vehicle-entry.ts';

export const plateSchema = z.object({
  rego: regoField,
  plate_state: z.enum(['', ...PLATE_STATES.map(({ value }) => value)], { error: 'Choose a state, or Not known.' }),
  from: requiredDay(),
  why: z.enum(
    WHYS.map(({ value }) => value),
    { error: 'Say why the plate changes.' },
  ),
  /** The plate with which the form was opened. */
  opened: z.string().default(''),
});
export type PlateField = keyof typeof plateSchema.shape;
