// The S3-compatible storage that S3_BUCKET names, through Amazon's own client. Every wait has a limit: past
// it StorageUnavailable is thrown. Only what every such storage supports is used: no checksums of newer versions.
import { Readable } from 'node:stream';
import type { GetObjectCommandOutput, PutObjectCommandInput, S3ClientConfig } from '@aws-sdk/client-s3';
import type { Config } from '#app/platform/process/config.server.ts';
import { oncePer } from '#app/platform/process/once-per.server.ts';
import { Unavailable } from '#app/platform/process/unavailable.server.ts';

/** The storage cannot be reached, refuses, or does not answer in time: whether the operation was done is unknown. */
export class StorageUnavailable extends Unavailable {
  /** As of a disk that fails: the pages are built apart from the server, and have classes of their own. */
  readonly code = 'EIO';
}

export type S3Settings = NonNullable<Config['s3']>;
/** An object's bytes, and the storage's name for just this version of it. */
export type Versioned = { bytes: Uint8Array<ArrayBuffer>; version: string };

export type Bucket = {
  /** Stores `bytes` under `key`. It is there whole when it returns, and before not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores `bytes` where `version` is what lies there (undefined: nothing does). False: it is another by now. Of many
   * who try at once one succeeds.
   */
  replace(key: string, bytes: Uint8Array, version: string | undefined): Promise<boolean>;
  read(key: string): Promise<Versioned | undefined>;
  /** The bytes as they come, or a range of them (positions inclusive). */
  stream(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** `size` in bytes. */
  head(key: string): Promise<{ size: number; modified: Date | undefined } | undefined>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncGenerator<{ name: string; modified: Date }>;
};

const CONNECT_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 10_000;
// On top, for what is sent: half a megabyte a second is slow.
const MS_A_SENT_BYTE = 2 / 1024;
// One that is read slowly by somebody far away holds a connection all the while.
const CONNECTIONS_MAX = 2_000;
// The largest that is stored is a certificate of 20 MB: a storage that sends more does not fill the memory.
const OBJECT_MAX_BYTES = 32 * 1024 * 1024;
const GONE = new Set([404, 412, 409]);

/** The bucket of `settings`, one client a process. Connects to nothing yet. */
export const openBucket: (settings: S3Settings) => Promise<Bucket> = oncePer(connect);

export function clientSettings({ region, endpoint, credentials }: S3Settings): S3ClientConfig {
  const agent = { maxSockets: CONNECTIONS_MAX, keepAlive: true };
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint: endpoint.href, forcePathStyle: true }),
    // Else from where Amazon's tools look for them: a profile, the machine's role.
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, socketTimeout: 0, httpAgent: agent, httpsAgent: agent },
  };
}

// Loaded only with S3_BUCKET: it is the largest library of all.
async function connect(settings: S3Settings): Promise<Bucket> {
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client(clientSettings(settings));
  const at = (Key: string) => ({ Bucket: settings.bucket, Key });

  const get = (key: string, range?: { start: number; end: number }) =>
    inTime('read', ANSWER_WITHIN_MS, (abortSignal) =>
      unlessGone(
        client.send(
          new s3.GetObjectCommand({
            ...at(key),
            ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
          }),
          { abortSignal },
        ),
        'NoSuchKey',
      ),
    );

  const read = async (key: string): Promise<Versioned | undefined> => {
    const object = await get(key);
    if (object === undefined) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(object)) chunks.push(chunk);
    return { bytes: Uint8Array.from(Buffer.concat(chunks)), version: object.ETag ?? '' };
  };

  const putIf = (key: string, bytes: Uint8Array, condition: Pick<PutObjectCommandInput, 'IfMatch' | 'IfNoneMatch'>) =>
    inTime('written', ANSWER_WITHIN_MS, (abortSignal) =>
      client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes, ...condition }), { abortSignal }).then(
        () => true,
        (error: unknown) => {
          if (GONE.has(statusOf(error)) && nameOf(error) !== 'NoSuchBucket') return false;
          throw error;
        },
      ),
    );
  // HTTP puts a version in quotes; some storages compare with them, some without.
  let forms = [(version: string) => version, (version: string) => version.replaceAll('"', '')];

  return {
    put: (key, bytes) =>
      inTime('written', ANSWER_WITHIN_MS + bytes.length * MS_A_SENT_BYTE, async (abortSignal) => {
        await client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes }), { abortSignal });
      }),
    async replace(key, bytes, version) {
      if (version === undefined) {
        if (await putIf(key, bytes, { IfNoneMatch: '*' })) return true;
      } else
        for (const form of forms)
          if (await putIf(key, bytes, { IfMatch: form(version) })) {
            forms = [form, ...forms.filter((other) => other !== form)];
            return true;
          }
      // Or the answer to the first try was lost, and the object is ours.
      const found = await read(key);
      return found !== undefined && Buffer.from(found.bytes).equals(bytes);
    },
    read,
    async stream(key, range) {
      const object = await get(key, range);
      return object === undefined ? undefined : Readable.from(chunksOf(object), { objectMode: false });
    },
    async head(key) {
      const found = await inTime('read', ANSWER_WITHIN_MS, async (abortSignal) => {
        const head = await unlessGone(client.send(new s3.HeadObjectCommand(at(key)), { abortSignal }), 'NotFound');
        // The answer to a head has no words: it may be the bucket that is gone.
        if (head === undefined)
          await client.send(new s3.HeadBucketCommand({ Bucket: settings.bucket }), { abortSignal });
        return head;
      });
      return found === undefined ? undefined : { size: found.ContentLength ?? 0, modified: found.LastModified };
    },
    remove: (key) =>
      inTime('removed', ANSWER_WITHIN_MS, async (abortSignal) => {
        await client.send(new s3.DeleteObjectCommand(at(key)), { abortSignal });
      }),
    async *list(prefix) {
      for (let next: string | undefined; ;) {
        const ContinuationToken = next;
        const page = await inTime('listed', ANSWER_WITHIN_MS, (abortSignal) =>
          client.send(
            new s3.ListObjectsV2Command({
              Bucket: settings.bucket,
              Prefix: prefix,
              ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
            }),
            { abortSignal },
          ),
        );
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined) yield { name: Key, modified: LastModified };
        next = page.NextContinuationToken;
        if (next === undefined) return;
      }
    },
  };
}

/** Runs `work`, which is aborted after `ms`. All that it throws becomes StorageUnavailable: `done` says what failed. */
async function inTime<T>(done: string, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // The timer ends with the answer: reading a body may take longer.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await Promise.race([work(late.signal), rejectAtAbort(late.signal)]);
  } catch (error) {
    const reason = late.signal.aborted ? `no answer within ${Math.round(ms / 1000)} s` : wordsOf(error);
    throw new StorageUnavailable(`S3_BUCKET cannot be ${done}: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

// Time spent waiting for a slow reader does not count.
async function* chunksOf({ Body }: GetObjectCommandOutput): AsyncGenerator<Uint8Array> {
  if (Body === undefined) return;
  if (!(Body instanceof Readable)) throw new Error('on Node a body is a stream');
  const chunks: AsyncIterator<Uint8Array> = Body[Symbol.asyncIterator]();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await inTime('read to its end', ANSWER_WITHIN_MS, () => chunks.next());
      if (done === true) return;
      length += value.length;
      if (length > OBJECT_MAX_BYTES) throw new StorageUnavailable('The storage sends more than was ever stored');
      yield value;
    }
  } finally {
    Body.destroy();
  }
}

const rejectAtAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true }),
  );

async function unlessGone<T>(answer: Promise<T>, name: string): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (nameOf(error) === name) return undefined;
    throw error;
  }
}

/** The storage's own name for an error, such as AccessDenied. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The HTTP status of a storage's refusal; 0 when there was no answer. */
export function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 0;
  const { $metadata }: { $metadata?: unknown } = error;
  return typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
    ? Number($metadata.httpStatusCode)
    : 0;
}

function wordsOf(error: unknown): string {
  const status = statusOf(error);
  const words = error instanceof Error ? error.message || error.name : String(error);
  return status === 0 ? words : `it answers ${status} ${nameOf(error)}`;
}
