// Where the log's files lie, and how two publishers are kept apart there. On disk: one folder, and a lock of the
// operating system that goes with its process. In a bucket there is no lock; a file that matters is written only over
// the version that its writer has read.
import { mkdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openBucket, type Versioned } from '#app/platform/storage/bucket.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { writeWhole } from '#app/platform/process/whole-file.server.ts';

/** Names are paths with slashes. When a write resolves, it is durable and every node reads it. */
export type LogStorage = {
  read(name: string): Promise<Versioned | undefined>;
  /** `at`: when it is said to have been written, if not now; a bucket knows its own time only. */
  write(name: string, bytes: Uint8Array, at?: Date): Promise<void>;
  /** Replaces `version` only, or writes where there is no file (undefined). False: another process was faster. */
  replace(name: string, bytes: Uint8Array, version: string | undefined): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Removes all files whose names begin with `folder` and a slash. */
  removeFolder(folder: string): Promise<void>;
  writtenAt(name: string): Promise<Date | undefined>;
  /** Runs `work` while no other process of this machine does, or gives 'busy'. */
  alone<T>(work: () => Promise<T>): Promise<T | 'busy'>;
};

/** In the bucket below `log/` where there is one, else in DATA_DIR/log. */
export function openLogStorage({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): LogStorage {
  return s3 === undefined ? onDisk(path.join(dataDir, 'log')) : inBucket(s3);
}

function onDisk(folder: string): LogStorage {
  const fileOf = (name: string) => path.join(folder, name);
  const read = async (name: string) => {
    const found = await unlessMissing(readFile(fileOf(name)));
    return found === undefined ? undefined : { bytes: Uint8Array.from(found), version: found.toString('base64') };
  };
  return {
    read,
    async write(name, bytes, at) {
      await writeWhole(fileOf(name), bytes);
      if (at !== undefined) await utimes(fileOf(name), at, at);
    },
    // The lock makes this the only writer.
    async replace(name, bytes, version) {
      if ((await read(name))?.version !== version) return false;
      await writeWhole(fileOf(name), bytes);
      return true;
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    removeFolder: (name) => rm(fileOf(name), { recursive: true, force: true }),
    writtenAt: async (name) => (await stat(fileOf(name)).catch(() => undefined))?.mtime,
    // SQLite's lock goes with its process, however that ends. The database's own locks do not keep apart two processes
    // that share the folder and not the database.
    async alone(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const lock = new DatabaseSync(path.join(folder, 'lock'));
      try {
        try {
          lock.exec('begin exclusive');
        } catch (error) {
          if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return 'busy';
          throw error;
        }
        return await work();
      } finally {
        lock.close();
      }
    },
  };
}

const SQLITE_BUSY = 5;

function inBucket(s3: NonNullable<Config['s3']>): LogStorage {
  const keyOf = (name: string) => `log/${name}`;
  const opened = openBucket(s3);
  return {
    read: async (name) => (await opened).read(keyOf(name)),
    write: async (name, bytes) => (await opened).put(keyOf(name), bytes),
    replace: async (name, bytes, version) => (await opened).replace(keyOf(name), bytes, version),
    remove: async (name) => (await opened).remove(keyOf(name)),
    async removeFolder(name) {
      const bucket = await opened;
      for await (const object of bucket.list(`${keyOf(name)}/`)) await bucket.remove(object.name);
    },
    writtenAt: async (name) => (await (await opened).head(keyOf(name)))?.modified,
    alone: (work) => work(),
  };
}
