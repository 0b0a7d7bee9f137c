// A registry that goes from its own disk to a bucket takes its log with it. Begun again there, it would be signed from
// whatever the database holds by then, and nothing would show that it held other entries once.
import type { Config } from '#app/platform/process/config.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { CHECKPOINT_PATH } from '#app/tlog/tiles.ts';
import { openLogStorage } from './log-storage.server.ts';

const NOTES = ['high-water', `1/${CHECKPOINT_PATH}`];

/** Throws StartError where the disk knows of a signed log and the bucket of none. */
export async function insistLogIsInBucket({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<void> {
  if (s3 === undefined) return;
  const hasNote = async (place: Pick<Config, 'dataDir' | 's3'>) => {
    const storage = openLogStorage(place);
    const found = await Promise.all(NOTES.map((name) => storage.read(name)));
    return found.some((note) => note !== undefined);
  };
  if (!(await hasNote({ dataDir, s3: undefined })) || (await hasNote({ dataDir, s3 }))) return;
  throw new StartError(
    `${dataDir}/log holds what was signed, and S3_BUCKET ${s3.bucket} has no log. Copy ${dataDir}/log to log/ in the bucket, and ${dataDir}/files to files/.`,
  );
}
