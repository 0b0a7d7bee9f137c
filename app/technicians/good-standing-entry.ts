// The schemas of the forms about a technician's good standing. `today` is in the registry's zone.
import { z } from 'zod';
import { optionalDay, requiredDay, requiredReason } from '#app/forms/text-fields.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { dayRefusal } from '#app/platform/time/entered-day.ts';

const DAYS_BACK = 30;
const DAYS_AHEAD = 366;
const LIFTED_AHEAD = 30;

const firstDay = (missing: string) => requiredDay((text) => (text === '' ? missing : dayRefusal(text)));

export const suspendSchema = (today: string) =>
  z.object({
    from: firstDay('Enter the first day.')
      .refine((day) => day >= addDays(today, -DAYS_BACK), `A suspension begins at most ${DAYS_BACK} days ago.`)
      .refine((day) => day <= addDays(today, DAYS_AHEAD), 'This is more than a year away. Check the year.'),
    reason: requiredReason('Enter the reason.'),
  });
export type SuspendInput = z.infer<ReturnType<typeof suspendSchema>>;

/** `suspension`: the id of the one that the form is about, which another may have followed meanwhile. */
export const reinstateSchema = (today: string) =>
  z.object({
    from: firstDay('Enter the first day in good standing.').refine(
      (day) => day <= addDays(today, LIFTED_AHEAD),
      `A suspension is lifted at most ${LIFTED_AHEAD} days ahead.`,
    ),
    suspension: z.string().default(''),
  });
export type ReinstateInput = z.infer<ReturnType<typeof reinstateSchema>>;

export const licenceSchema = z.object({ ends_on: optionalDay() });
