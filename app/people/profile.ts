// The profile form, the same for admins and technicians.
import { z } from 'zod';
import { openedVersion, optionalDay, optionalLine, optionalText, requiredName } from '#app/forms/text-fields.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { dayRefusal } from '#app/platform/time/entered-day.ts';

const NO_BIRTHDAY = 'Enter a date such as 14 May 1980.';

/** The form's field names are the specification's. */
export const profileSchema = z.object({
  name: requiredName(200, 'Enter a name.'),
  phone: optionalLine(60),
  address: optionalLine(300),
  dob: optionalDay((text) => (text > todayIn('UTC') ? NO_BIRTHDAY : dayRefusal(text, NO_BIRTHDAY))),
  gender: optionalLine(60),
  notes: optionalText(4000),
  image: z.string().default(''),
  version: openedVersion,
});
export type ProfileInput = z.infer<typeof profileSchema>;
