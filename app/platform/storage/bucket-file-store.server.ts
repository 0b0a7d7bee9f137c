// Files in S3-compatible storage, below `files/`, under the same keys as on disk.
import type { Bucket } from './bucket.server.ts';
import { insistOnKey, isKey, type FileStore } from './file-store.server.ts';

const PREFIX = 'files/';
const nameOf = (key: string) => `${PREFIX}${insistOnKey(key)}`;

export function openBucketFileStore(bucket: Bucket): FileStore {
  return {
    async put(key, bytes) {
      if ((await bucket.head(nameOf(key))) === undefined) await bucket.put(nameOf(key), bytes);
    },
    async read(key, range) {
      const stream = await bucket.stream(nameOf(key), range);
      if (stream === undefined) throw new Error(`there is no file ${key}`);
      return stream;
    },
    remove: async (key) => bucket.remove(nameOf(key)),
    size: async (key) => (await bucket.head(nameOf(key)))?.size,
    async *list() {
      for await (const { name, modified } of bucket.list(PREFIX)) {
        const key = name.slice(PREFIX.length);
        if (isKey(key)) yield { key, putAt: modified };
      }
    },
  };
}
