// A file store that counts its failures.
import type { FileStore } from './file-store.server.ts';
import type { FILE_OPERATIONS, Metrics } from '#app/platform/process/metrics.server.ts';

/** `files`, with each failed operation counted, a read that breaks half-way among them. */
export function countFileErrors(files: FileStore, { fileErrors }: Metrics): FileStore {
  const counted = async <T>(operation: (typeof FILE_OPERATIONS)[number], work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      fileErrors.inc({ operation });
      throw error;
    }
  };
  return {
    put: (key, bytes) => counted('put', files.put(key, bytes)),
    async read(key, range) {
      const stream = await counted('read', files.read(key, range));
      stream.once('error', () => fileErrors.inc({ operation: 'read' }));
      return stream;
    },
    remove: (key) => counted('remove', files.remove(key)),
    size: (key) => counted('size', files.size(key)),
    async *list() {
      try {
        yield* files.list();
      } catch (error) {
        fileErrors.inc({ operation: 'list' });
        throw error;
      }
    },
  };
}
