// Refuses a form when somebody else saved the record while it was open. The answer shows, field by field, who changed
// what, and carries the current version and texts, so the form can be sent again as if it had been opened now.
import { z } from 'zod';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { formatDay, isDay } from '#app/platform/time/calendar.ts';
import { mergeEdits, openedName } from '#app/platform/http/merge-edits.ts';
import { refused, type Refusal } from './submit-form.server.ts';

/** The current version of the record, with its texts as the form shows them. `by`: who saved it. */
export type CurrentRecord = {
  what: 'vehicle' | 'profile' | 'version of the rules' | 'weighbridge';
  version: number;
  by: string;
  texts: Readonly<Record<string, string>>;
};

/** `button`: the label of the button that saves. */
export function refuseStale<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  { fields }: Pick<ReceivedForm, 'fields'>,
  { now, button }: { now: CurrentRecord; button: string },
): { refused: Refusal<string> } {
  const current = now.texts;
  const asked = Object.keys(current).filter((field) => fields.has(field));
  // Compares the texts as the schema parses them, so that blanks and line endings make no difference.
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
    now: read((field) => current[field]),
  });
  const pick = (of: readonly string[], textOf: (field: string) => string) =>
    Object.fromEntries(of.map((field) => [field, textOf(field)]));
  const nowText = (field: string) => current[field] ?? '';
  const words = [
    `${now.by} changed this ${now.what} while you were editing it. Nothing of yours is saved yet.`,
    taken.length === 0 ? '' : 'Fields that only they changed now show what they saved.',
    disputed.length === 0 ? '' : 'Where you both changed a field, tick Keep theirs or leave yours.',
    `Then press ${button}.`,
  ];
  return refused<string>(409, {
    code: 'changed-meanwhile',
    sentence: words.filter(Boolean).join(' '),
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
