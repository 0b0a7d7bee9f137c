// Reads an archive to its end. Its seal covers every byte, so a flipped, missing or added byte shows at the latest at
// the end. The caller commits nothing before that.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { toWeb } from '#app/platform/http/web-stream.server.ts';
import { ArchiveError, type Manifest, type Part, SEAL_BYTES, SEAL_NAME, type Totals } from './archive.ts';
import { damaged, PartChecker } from './check-parts.server.ts';

const READ_BYTES = 1024 * 1024;
// Far above the largest part of a real archive: no archive fills the memory.
const PART_MAX_BYTES = 256 * 1024 * 1024;

export type ArchiveReader = {
  /** Takes a part, in the order of the archive. */
  take: (part: Part, manifest: Manifest) => Promise<void>;
  progress: (share: number) => void;
};

/** What an archive holds, once it is known to be whole. `misnamed`: files whose bytes are not those of their key. */
export type ReadArchive = { manifest: Manifest; totals: Totals; bytes: number; misnamed: readonly string[] };

/** Reads it all. Throws ArchiveError with a sentence when it is not whole, or no archive that this version reads. */
export async function readArchive(file: string, { take, progress }: ArchiveReader): Promise<ReadArchive> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new ArchiveError(`There is no file ${file}.`);
  if (!found.isFile()) throw new ArchiveError(`${file} is not a file.`);
  await access(file, constants.R_OK).catch(() => {
    throw new ArchiveError(`${file} cannot be read. Check its owner.`);
  });
  const { size } = found;
  if (size <= SEAL_BYTES) throw damaged('it is too short');
  const whole = createHash('sha256');
  const seal: Buffer[] = [];
  const source = toWeb(Readable.from(readHashing(file, { size, whole, seal }, progress), { objectMode: false }));
  const entries = source.pipeThrough(createTarDecoder({ strict: true })).getReader();
  const checker = new PartChecker();
  let isSealed = false;
  try {
    for (;;) {
      const { done, value: entry } = await decoding(() => entries.read());
      if (done) break;
      if (isSealed) throw damaged('something follows its seal');
      const bytes = await decoding(() => readBody(entry));
      isSealed = entry.header.name === SEAL_NAME;
      const part = isSealed ? undefined : await checker.check(entry.header.name, bytes, entry.header.mtime);
      if (part !== undefined) await take(part, checker.manifest);
    }
  } finally {
    await entries.cancel().catch(() => undefined);
  }
  const expected = Buffer.alloc(SEAL_BYTES);
  expected.write(`${whole.digest('hex')}\n`);
  if (!isSealed || !Buffer.concat(seal).equals(expected)) throw damaged('its seal is not that of its bytes');
  return { manifest: checker.manifest, totals: checker.end(), bytes: size, misnamed: checker.misnamed };
}

// All bytes, of which those before the seal go into the hash.
async function* readHashing(
  file: string,
  { size, whole, seal }: { size: number; whole: Hash; seal: Buffer[] },
  progress: (share: number) => void,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of createReadStream(file, { highWaterMark: READ_BYTES })) {
    if (!Buffer.isBuffer(piece)) throw new Error('a file is read as bytes');
    const before = Math.max(0, Math.min(piece.length, size - SEAL_BYTES - at));
    whole.update(piece.subarray(0, before));
    if (before < piece.length) seal.push(piece.subarray(before));
    at += piece.length;
    progress(at / size);
    yield piece;
  }
}

async function readBody({ header, body }: ParsedTarEntry): Promise<Buffer> {
  if (header.size > PART_MAX_BYTES) throw new Error(`${header.name} is too large`);
  return buffer(body);
}

// An error of the decoder is damage; one of the caller that takes the parts is not.
async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}
