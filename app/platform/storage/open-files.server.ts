// Where this process keeps files: in the bucket where there is one, else on its own disk.
import path from 'node:path';
import { openBucketFileStore } from './bucket-file-store.server.ts';
import { openBucket } from './bucket.server.ts';
import { checkBucket } from './check-bucket.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import { openFileStore, type FileStore } from './file-store.server.ts';

/** Opens it, after checking that it takes files. Throws StartError with a sentence when it does not. */
export async function openFiles({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<FileStore> {
  if (s3 === undefined) return openFileStore({ directory: path.join(dataDir, 'files') });
  await checkBucket(s3);
  return openBucketFileStore(await openBucket(s3));
}
