// Checks at the start that the bucket is what the registry needs: there, readable, writable, and heeding the conditions
// of a conditional write, without which two publishers could sign two trees.
import { randomUUID } from 'node:crypto';
import { clientSettings, nameOf, openBucket, statusOf, StorageUnavailable, type S3Settings } from './bucket.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';

const ANSWER_WITHIN_MS = 15_000;
const NOBODYS_VERSION = '"00000000000000000000000000000000"';

/** Throws StartError with a sentence that names the setting to look at. */
export async function checkBucket(settings: S3Settings): Promise<void> {
  const { S3Client, HeadBucketCommand } = await import('@aws-sdk/client-s3');
  const client = new S3Client(clientSettings(settings));
  try {
    await client.send(new HeadBucketCommand({ Bucket: settings.bucket }), {
      abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  } catch (error) {
    throw new StartError(sentenceOf(settings, error), { cause: error });
  } finally {
    client.destroy();
  }
  await tryWriting(settings);
}

async function tryWriting(settings: S3Settings): Promise<void> {
  const bucket = await openBucket(settings);
  const key = `probe/${randomUUID()}`;
  const [one, two] = [Buffer.from('one'), Buffer.from('two')];
  const name = `S3_BUCKET ${settings.bucket}`;
  try {
    if ((await bucket.head(key)) !== undefined) throw new StartError(`${name} names objects that nobody stored.`);
    if (!(await bucket.replace(key, one, undefined))) throw new StartError(`${name} does not take objects.`);
    const found = await bucket.read(key);
    const obeys =
      found !== undefined &&
      !(await bucket.replace(key, two, undefined)) &&
      !(await bucket.replace(key, two, NOBODYS_VERSION)) &&
      (await bucket.replace(key, two, found.version)) &&
      !(await bucket.replace(key, one, found.version));
    if (!obeys)
      throw new StartError(
        `${name} cannot be used: its storage ignores If-Match and If-None-Match when writing, which keeps the public log from forking.`,
      );
    await bucket.remove(key);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const status = statusOf(error.cause);
    throw new StartError(
      status === 403
        ? `${name} may not be listed, read, written and deleted in by this AWS_ACCESS_KEY_ID.`
        : `${error.message}. Check S3_ENDPOINT and S3_BUCKET.`,
      { cause: error },
    );
  }
}

function sentenceOf({ bucket, region, endpoint }: S3Settings, error: unknown): string {
  const where = endpoint === undefined ? `Amazon’s storage in ${region}` : endpoint.origin;
  const status = statusOf(error);
  if (nameOf(error) === 'CredentialsProviderError')
    return 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given with S3_BUCKET, or a role of this machine.';
  if (status === 404) return `S3_BUCKET ${bucket} does not exist at ${where}. Make it, or set another.`;
  if (status === 403)
    return `S3_BUCKET ${bucket} may not be opened: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they allow.`;
  if (status === 301 || status === 400) return `S3_BUCKET ${bucket} is not in S3_REGION ${region}.`;
  const message = error instanceof Error ? error.message : String(error);
  const reason = status === 0 ? message : `it answers ${status}`;
  return `The storage of S3_BUCKET cannot be reached at ${where}: ${reason}. Check ${endpoint === undefined ? 'S3_REGION' : 'S3_ENDPOINT'}.`;
}
