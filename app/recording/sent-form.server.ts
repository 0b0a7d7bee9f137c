// What makes a visit one, however often and by whichever way its form is sent: the id of the form, and a hash of what
// was typed.
import { createHash } from 'node:crypto';
import { isUuid } from '#app/platform/process/uuid.ts';

export type SentForm = { id: string; sha256: string };

/** Not of when and how it was sent. The ids of photos differ each time, so they are only counted. */
const NOT_TYPED: ReadonlySet<string> = new Set([
  'capture_id',
  'captured_at',
  'captured_by',
  'vehicle_id',
  'form_version',
  'from_file',
  'was_there',
  'form_key',
  'intent',
  'photo',
  'photo_file',
]);

/** Undefined: `id` is none that a form of ours has. `all`: the form's values by name. */
export function sentForm(id: unknown, all: ReadonlyMap<string, readonly string[]>): SentForm | undefined {
  if (!isUuid(id)) return undefined;
  const typed = [...all].filter(([name]) => !NOT_TYPED.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const photos = all.get('photo')?.filter((photo) => photo !== '').length ?? 0;
  const hashed = photos === 0 ? typed : [...typed, ['photo', photos]];
  return { id, sha256: createHash('sha256').update(JSON.stringify(hashed)).digest('hex') };
}
