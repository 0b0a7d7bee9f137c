// What a person keeps of themselves: the same form for admins and technicians.
import { z } from 'zod';
import { isDay, todayIn } from '#app/platform/time/calendar.ts';

/** A text of one line, optional. */
export const line = (max: number) =>
  z
    .string()
    .default('')
    .transform(tidy)
    .pipe(z.string().max(max, `Use at most ${max} characters.`));

/** The form's field names are the specification's. */
export const profileSchema = z.object({
  name: z
    .string({ error: 'Enter a name.' })
    .transform(tidy)
    .pipe(z.string().min(1, 'Enter a name.').max(200, 'Use at most 200 characters.')),
  phone: line(60),
  address: line(300),
  dob: z
    .string()
    .default('')
    .transform((text) => text.trim())
    .refine((text) => text === '' || isBirthday(text), 'Enter a date such as 14 May 1980.')
    .transform((text) => (text === '' ? null : text)),
  gender: line(60),
  notes: z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(z.string().max(4000, 'Use at most 4,000 characters.')),
  image: z.string().default(''),
  version: z.coerce.number().int().nonnegative().default(0),
});
export type ProfileInput = z.infer<typeof profileSchema>;

// One line: no breaks, no control characters, single blanks.
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

const isBirthday = (text: string) => isDay(text) && text >= '1900-01-01' && text <= todayIn('UTC');
