// The text fields of every form. A text of one line has no line breaks, no control characters, and no two blanks in a
// row, and nothing that cannot be seen. A text of several lines keeps its line breaks. Both are normalised to NFC, and
// trimmed.
import { z } from 'zod';
import { oneLine, turnsText } from '#app/platform/process/typed-text.ts';
import { dayRefusal } from '#app/platform/time/entered-day.ts';
import { REASON_MAX } from './text-limits.ts';

const atMost = (max: number) => z.string().max(max, `Use at most ${max.toLocaleString('en-AU')} characters.`);

export const optionalLine = (max: number) => z.string().default('').transform(oneLine).pipe(atMost(max));

/** `missing`: the message when nothing was typed. */
export const requiredLine = (max: number, missing: string) =>
  z.string({ error: missing }).transform(oneLine).pipe(atMost(max).min(1, missing));

const name = z
  .string()
  .refine((text) => !turnsText(text), 'It has characters that turn the direction of writing. Type it by hand.');

/** The name of a person, a company or a place. */
export const optionalName = (max: number) => name.default('').transform(oneLine).pipe(atMost(max));

export const requiredName = (max: number, missing: string) =>
  z.string({ error: missing }).pipe(name).transform(oneLine).pipe(atMost(max).min(1, missing));

export const optionalReason = optionalLine(REASON_MAX);

export const requiredReason = (missing: string) => requiredLine(REASON_MAX, missing);

export const optionalText = (max: number) =>
  z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').replaceAll('\r\n', '\n').trim())
    .pipe(atMost(max));

type RefuseDay = (text: string) => string | undefined;

const dayText = (refuse: RefuseDay) =>
  z
    .string()
    .default('')
    .transform((text) => text.trim())
    .superRefine((text, context) => {
      const message = refuse(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message, continue: false });
    });

/** A day as text (`YYYY-MM-DD`). `refuse`: why it cannot be entered. */
export const requiredDay = (refuse: RefuseDay = (text) => dayRefusal(text)) => dayText(refuse);

/** The same, or null. */
export const optionalDay = (refuse: RefuseDay = (text) => dayRefusal(text)) =>
  dayText((text) => (text === '' ? undefined : refuse(text))).transform((text) => (text === '' ? null : text));

/** The version of the record with which a form was opened. */
export const openedVersion = z.coerce.number().int().nonnegative().default(0);
