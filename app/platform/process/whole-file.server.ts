// Files that are there whole or not at all, also after a power cut: written under a temporary name, synced, renamed
// into place.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes `bytes` to `file`, replacing what is there; durable when it returns. Missing folders are made. */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(aside, bytes, { flag: 'wx', mode: 0o600, flush: true });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Writes `text` to `file`, where there is none: of several processes at once, the text of the first stays. Durable. */
export async function writeOnce(file: string, text: string): Promise<void> {
  await makeFolder(path.dirname(file));
  const aside = `${file}.${randomUUID()}.part`;
  await writeFile(aside, text, { mode: 0o600, flush: true });
  // A link fails when the name is taken.
  await link(aside, file).catch(() => undefined);
  await rm(aside);
  await syncFolder(path.dirname(file));
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

/** What was made, renamed or linked in a folder is durable only once the folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
