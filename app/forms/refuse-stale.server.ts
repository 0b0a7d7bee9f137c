// A form is refused because somebody else saved the record while it was open. It shows, field by field, whose change is
// whose; from then on it is a form that was opened now.
import { z } from 'zod';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { formatDay, isDay } from '#app/platform/time/calendar.ts';
import { mergeEdits, openedName } from '#app/platform/http/merge-edits.ts';
import { refused, type Refusal } from './submit-form.server.ts';

/** The version that stands now, with the texts that the form shows of it. */
export type StandingRecord = {
  what: 'vehicle' | 'profile' | 'policy';
  version: number;
  by: string;
  texts: Readonly<Record<string, string>>;
};

/** `button`: what the sender presses to save after all. */
export function refuseStale<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  { fields }: Pick<ReceivedForm, 'fields'>,
  now: StandingRecord,
  button: string,
): { refused: Refusal<string> } {
  const standing = now.texts;
  const asked = Object.keys(standing).filter((field) => fields.has(field));
  // As the schema reads a text, so that blanks and line ends make no difference.
  const read = (textOf: (field: string) => string | undefined) =>
    Object.fromEntries(
      asked.flatMap((field): [string, string][] => {
        const text = textOf(field);
        const type = schema.shape[field];
        if (text === undefined) return [];
        const parsed = type === undefined ? undefined : z.safeParse(type, text);
        return [[field, parsed?.success === true ? JSON.stringify(parsed.data) : text]];
      }),
    );
  const { taken, disputed } = mergeEdits(asked, {
    opened: read((field) => fields.get(openedName(field))),
    typed: read((field) => fields.get(field)),
    now: read((field) => standing[field]),
  });
  const pick = (of: readonly string[], textOf: (field: string) => string) =>
    Object.fromEntries(of.map((field) => [field, textOf(field)]));
  const nowText = (field: string) => standing[field] ?? '';
  const words = [
    `changed-meanwhile. ${now.by} changed this ${now.what} while you were editing it. Nothing of yours is saved yet.`,
    taken.length === 0 ? '' : 'Fields that only they changed now show what they saved.',
    disputed.length === 0 ? '' : 'Where you both changed a field, tick Keep theirs or leave yours.',
    `Then press ${button}.`,
  ];
  return refused<string>(409, {
    cause: words.filter(Boolean).join(' '),
    values: {
      version: String(now.version),
      ...pick(taken, nowText),
      ...Object.fromEntries(asked.map((field) => [openedName(field), nowText(field)])),
    },
    merged: {
      replaced: taken,
      taken: pick(
        taken,
        (field) => `Someone else changed this. It was: ${inWords(fields.get(openedName(field)) ?? '')}`,
      ),
      disputed: pick(disputed, (field) => `Someone else changed this to: ${inWords(nowText(field))}`),
    },
  });
}

function inWords(text: string): string {
  if (text === '') return 'empty';
  return isDay(text) ? formatDay(text) : text;
}
