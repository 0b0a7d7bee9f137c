// Where files are kept, under keys that hold the hash of their bytes, so a key is written once and never changes. Here:
// on disk, below a folder. Written under a temporary name, synced and renamed into place: a file is there whole or not
// at all, also after a power cut. (flydrive's disk driver neither syncs nor renames: docs/decisions/0002.)
import { createReadStream } from 'node:fs';
import { access, constants, mkdir, opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { writeWhole } from '#app/platform/process/whole-file.server.ts';

export type FileStore = {
  /** Keeps `bytes` under `key`; durable when it returns. A key that is there already stays. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of `key`, or of a range of them (positions inclusive). */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes `key`, if it is there. */
  remove(key: string): Promise<void>;
  /** In bytes; undefined when there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Every key in the store, of files never written to their end too, and when each was put there. */
  list(): AsyncIterable<{ key: string; putAt: Date }>;
};

const KEY = /^[a-z0-9-]+(\/[A-Za-z0-9@,._+-]+){1,3}$/;

/** `key` as it is. Throws when it is none: no path is ever made of anything else. */
export function insistOnKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  return key;
}

/** Whether `key` may name a file: anything else that lies in the store was not put there by us. */
export function isKey(key: string): boolean {
  return KEY.test(key) && !key.split('/').some((part) => part === '.' || part === '..');
}

/** Whether a file of the hash `sha256` may stand under `key`. A thumbnail's key has the hash of its whole image. */
export function mayHold(key: string, sha256: string): boolean {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return !/^[0-9a-f]{64}\./.test(name) || name.startsWith(sha256);
}

/** Opens the store below `directory`, which is made when missing. */
export async function openFileStore({ directory }: { directory: string }): Promise<FileStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await access(directory, constants.W_OK).catch(() => {
    throw new StartError(`The folder ${directory} cannot be written. Check its owner, or set another DATA_DIR.`);
  });
  const fileOf = (key: string) => path.join(directory, insistOnKey(key));
  const size = async (key: string) => (await unlessMissing(stat(fileOf(key))))?.size;
  return {
    async put(key, bytes) {
      if ((await size(key)) === undefined) await writeWhole(fileOf(key), bytes);
    },
    read: async (key, range) => createReadStream(fileOf(key), range ?? {}),
    remove: (key) => rm(fileOf(key), { force: true }),
    size,
    async *list() {
      for await (const entry of await opendir(directory, { recursive: true })) {
        const file = path.join(entry.parentPath, entry.name);
        const key = path.relative(directory, file);
        // Removed meanwhile: not in the store any more.
        const found = entry.isFile() && isKey(key) ? await stat(file).catch(() => undefined) : undefined;
        if (found !== undefined) yield { key, putAt: found.mtime };
      }
    },
  };
}
