// The profile form, the same for admins and technicians.
import { z } from 'zod';
import { openedVersion, optionalDay, optionalLine, optionalText, requiredLine } from '#app/forms/text-fields.ts';
import { isDay, todayIn } from '#app/platform/time/calendar.ts';

/** The form's field names are the specification's. */
export const profileSchema = z.object({
  name: requiredLine(200, 'Enter a name.'),
  phone: optionalLine(60),
  address: optionalLine(300),
  dob: optionalDay((text) => isBirthday(text), 'Enter a date such as 14 May 1980.'),
  gender: optionalLine(60),
  notes: optionalText(4000),
  image: z.string().default(''),
  version: openedVersion,
});
export type ProfileInput = z.infer<typeof profileSchema>;

const isBirthday = (text: string) => isDay(text) && text >= '1900-01-01' && text <= todayIn('UTC');
