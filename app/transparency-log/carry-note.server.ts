// What a backup takes of the published log, and what a restore brings back: the last note that was signed. The files of
// the log follow from the database; that note does not, and without it a log could be signed again from an earlier
// entry.
import type { Bytes } from '#app/tlog/bytes.ts';
import { parseCheckpoint } from '#app/tlog/checkpoint.ts';
import type { LogFolder } from './log-folder.server.ts';
import { parseNote } from '#app/tlog/signed-note.ts';
import { CHECKPOINT_PATH } from '#app/tlog/tiles.ts';

/** A note from a backup, and when it was signed. */
export type BroughtNote = { note: Bytes; signedAt: Date };

/** How many entries a note is about. It is not verified. */
export function noteSize(note: Uint8Array): number {
  return parseCheckpoint(parseNote(note).text).size;
}

/** The latest of the notes kept here; undefined where nothing was signed. */
export async function latestNote(folder: LogFolder): Promise<Bytes | undefined> {
  const [kept, shown] = await Promise.all([folder.readHighWaterNote(), folder.readPublished(CHECKPOINT_PATH)]);
  if (kept === undefined || shown === undefined) return kept ?? shown;
  return noteSize(shown) > noteSize(kept) ? shown : kept;
}

/** Keeps `note` as the last one signed, unless one that is about as many entries is here. */
export async function bringNote(folder: LogFolder, { note, signedAt }: BroughtNote): Promise<void> {
  const here = await latestNote(folder);
  if (here === undefined || noteSize(here) < noteSize(note)) await folder.writeHighWater(note, signedAt);
}
