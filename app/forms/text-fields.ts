// The text fields of every form. A text of one line has no line breaks, no control characters, and no two blanks in a
// row. A text of several lines keeps its line breaks. Both are normalised to NFC, and trimmed.
import { z } from 'zod';
import { REASON_MAX } from './text-limits.ts';

const atMost = (max: number) => z.string().max(max, `Use at most ${max.toLocaleString('en-AU')} characters.`);

const toOneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

export const optionalLine = (max: number) => z.string().default('').transform(toOneLine).pipe(atMost(max));

/** `missing`: the message when nothing was typed. */
export const requiredLine = (max: number, missing: string) =>
  z.string({ error: missing }).transform(toOneLine).pipe(atMost(max).min(1, missing));

export const optionalReason = optionalLine(REASON_MAX);

export const requiredReason = (missing: string) => requiredLine(REASON_MAX, missing);

export const optionalText = (max: number) =>
  z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(atMost(max));

/** A day as text (`YYYY-MM-DD`), or null. `refusal`: the message for a text that is no day, or not `isPossible`. */
export const optionalDay = (isPossible: (day: string) => boolean, refusal: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.trim())
    .refine((text) => text === '' || isPossible(text), refusal)
    .transform((text) => (text === '' ? null : text));

/** The version of the record with which a form was opened. */
export const openedVersion = z.coerce.number().int().nonnegative().default(0);
