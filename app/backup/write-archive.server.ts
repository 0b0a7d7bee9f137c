// Writes an archive part by part under a temporary name, then renames it: it is there whole or not at all, also after a
// power cut.
import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packTar } from 'modern-tar';
import { StartError } from '#app/platform/process/start-error.ts';
import { syncFolder } from '#app/platform/process/whole-file.server.ts';
import { listName, PARTS_A_LIST, SEAL_BYTES, SEAL_NAME } from './archive.ts';

const END_OF_TAR_BYTES = 1024;
const OWNER_ONLY = 0o600;
// A backup waits for the disk and the database more than for this; more saves little.
const GZIP_LEVEL = 4;
const compress = promisify(gzip);

/** An archive that is being written; `finish` or `discard` ends it. */
export class ArchiveWriter {
  readonly #file: string;
  readonly #aside: string;
  readonly #handle: FileHandle;
  readonly #modifiedAt: Date;
  readonly #whole = createHash('sha256');
  #sums: string[] = [];
  #lists = 0;
  #bytes = 0;

  private constructor(
    file: string,
    { aside, handle, modifiedAt }: { aside: string; handle: FileHandle; modifiedAt: Date },
  ) {
    this.#file = file;
    this.#aside = aside;
    this.#handle = handle;
    this.#modifiedAt = modifiedAt;
  }

  /** Begins one that will be `file`. Refuses where something is there already. `modifiedAt`: of its parts. */
  static async begin(file: string, modifiedAt: Date): Promise<ArchiveWriter> {
    await insistFree(file);
    const aside = `${file}.${randomUUID()}.part`;
    const handle = await open(aside, 'wx', OWNER_ONLY).catch((error: unknown) => {
      throw new StartError(unwritable(path.dirname(file), error), { cause: error });
    });
    return new ArchiveWriter(file, { aside, handle, modifiedAt });
  }

  /** The path of a temporary file beside the archive. */
  get besideIt(): string {
    return `${this.#aside}.list`;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async add(name: string, bytes: Uint8Array, modifiedAt?: Date): Promise<void> {
    await this.#write(await this.#member(name, bytes, modifiedAt));
    this.#sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    if (this.#sums.length === PARTS_A_LIST) await this.#addSums();
  }

  async addCompressed(name: string, bytes: Uint8Array): Promise<void> {
    await this.add(name, await compress(bytes, { level: GZIP_LEVEL }));
  }

  async addJson(name: string, value: unknown): Promise<void> {
    await this.add(name, Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`));
  }

  /** Seals it, makes it durable and gives it its name. */
  async finish(): Promise<void> {
    if (this.#sums.length > 0) await this.#addSums();
    const digits = Buffer.alloc(65, '0');
    const header = (await this.#member(SEAL_NAME, digits)).subarray(0, -512);
    await this.#write(header);
    const seal = Buffer.alloc(SEAL_BYTES);
    seal.write(`${this.#whole.digest('hex')}\n`);
    await this.#handle.writeFile(seal);
    this.#bytes += seal.length;
    await this.#handle.sync();
    await this.#handle.close();
    await insistFree(this.#file);
    await rename(this.#aside, this.#file);
    await syncFolder(path.dirname(this.#file));
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#aside, { force: true });
  }

  async #addSums(): Promise<void> {
    this.#lists += 1;
    await this.#write(await this.#member(listName(this.#lists), Buffer.from(this.#sums.join(''))));
    this.#sums = [];
  }

  async #member(name: string, body: Uint8Array, modifiedAt = this.#modifiedAt): Promise<Uint8Array> {
    const header = { name, size: body.length, mode: OWNER_ONLY, mtime: modifiedAt };
    return (await packTar([{ header, body }])).subarray(0, -END_OF_TAR_BYTES);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#whole.update(bytes);
    await this.#handle.writeFile(bytes);
    this.#bytes += bytes.length;
  }
}

function unwritable(folder: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT') return `There is no folder ${folder}. Make it, or name another.`;
  if (code === 'ENOSPC') return `The disk of ${folder} is full.`;
  return `${folder} cannot be written. Check its owner, or name another folder.`;
}

async function insistFree(file: string): Promise<void> {
  // What stands in the way shows when the archive is begun.
  const there = await stat(file).catch(() => undefined);
  if (there !== undefined) throw new StartError(`${file} already exists and is not overwritten. Name another file.`);
}
