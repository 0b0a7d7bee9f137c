// The log's files, on disk or in the bucket: `1/` as everyone may read it (c2sp.org/tlog-tiles), and beside it what the
// publisher must remember outside the database: `high-water`, the last note that it signed, `refused`, why it signs no
// more, and `witnesses`, when each of them cosigned.
import type { Config } from '#app/platform/process/config.server.ts';
import { oncePer } from '#app/platform/process/once-per.server.ts';
import { type Bytes, equalBytes, Malformed, utf8 } from '#app/tlog/bytes.ts';
import { type Checkpoint, openCheckpoint } from '#app/tlog/checkpoint.ts';
import { type LogStorage, openLogStorage } from './log-storage.server.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { HASH_BYTES } from '#app/tlog/sha256.ts';
import {
  CHECKPOINT_PATH,
  formatBundle,
  parseBundle,
  parseTile,
  type Tile,
  TILE_WIDTH,
  tilePath,
  widthAt,
  WITNESSED_PATH,
} from '#app/tlog/tiles.ts';

/** `version`: what it is to be replaced over. */
export type SignedHead = { note: Bytes; head: Checkpoint; version: string };
export type Refusal = { sentence: string; since: string };

const SHOWN = `1/${CHECKPOINT_PATH}`;
const WITNESSED = `1/${WITNESSED_PATH}`;
const HIGH_WATER = 'high-water';
const WITNESSES = 'witnesses';
const REFUSED = 'refused';

/** Caches nothing: another node may have published since. */
export class LogFolder {
  readonly #storage: LogStorage;

  constructor(storage: LogStorage) {
    this.#storage = storage;
  }

  /** The file at `name` below the log's prefix, as it lies there. */
  async readPublished(name: string): Promise<Bytes | undefined> {
    return (await this.#storage.read(`1/${name}`))?.bytes;
  }

  async writePublished(name: string, bytes: Uint8Array): Promise<void> {
    await this.#storage.write(`1/${name}`, bytes);
  }

  /** Removes the narrower versions of a tile that is full and signed (tlog-tiles, 'Partial Tiles'). */
  async removePartials(tile: Tile): Promise<void> {
    const partial = tilePath({ ...tile, width: 1 });
    await this.#storage.removeFolder(`1/${partial.slice(0, partial.lastIndexOf('/'))}`);
  }

  /** The checkpoint that everyone sees. Throws when it is not one of `key`. */
  readCheckpoint(key: VerifierKey): Promise<SignedHead | undefined> {
    return this.#readHead(SHOWN, key);
  }

  /** Puts `note` in the place of the one that was read as `version`. False: another publisher was faster. */
  replaceCheckpoint(note: Bytes, version: string | undefined): Promise<boolean> {
    return this.#storage.replace(SHOWN, note, version);
  }

  /** The newest checkpoint that has the quorum of the registry's policy, with its cosignatures. */
  readWitnessed(key: VerifierKey): Promise<SignedHead | undefined> {
    return this.#readHead(WITNESSED, key);
  }

  /** What is remembered of the witnesses, as text. */
  async readWitnessDiary(): Promise<string | undefined> {
    const found = await this.#storage.read(WITNESSES);
    return found === undefined ? undefined : Buffer.from(found.bytes).toString();
  }

  writeWitnessDiary(text: string): Promise<void> {
    return this.#storage.write(WITNESSES, utf8(text));
  }

  /** When the last note was signed. Its checkpoint may have been written again since. */
  async signedAt(): Promise<Date | undefined> {
    return (await this.#storage.writtenAt(HIGH_WATER)) ?? this.#storage.writtenAt(SHOWN);
  }

  readHighWater(key: VerifierKey): Promise<SignedHead | undefined> {
    return this.#readHead(HIGH_WATER, key);
  }

  /** The same; when it returns false, `note` must not be shown to anybody. */
  replaceHighWater(note: Bytes, version: string | undefined): Promise<boolean> {
    return this.#storage.replace(HIGH_WATER, note, version);
  }

  /** The same, not verified. */
  async readHighWaterNote(): Promise<Bytes | undefined> {
    return (await this.#storage.read(HIGH_WATER))?.bytes;
  }

  /** Puts a note there that was signed elsewhere. `signedAt`: when, if not now. */
  writeHighWater(note: Bytes, signedAt?: Date): Promise<void> {
    return this.#storage.write(HIGH_WATER, note, signedAt);
  }

  async #readHead(name: string, key: VerifierKey): Promise<SignedHead | undefined> {
    const found = await this.#storage.read(name);
    return found === undefined
      ? undefined
      : { note: found.bytes, head: await openCheckpoint(found.bytes, key), version: found.version };
  }

  /**
   * A tile or bundle of the tree of `size`, at any width it has had, or undefined when that tree has none. It is cut
   * from what the signed tree has: a file of another width may be left over from a tree that was never signed.
   */
  async readTile(tile: Tile, size: number): Promise<Bytes | undefined> {
    const width = widthAt(size, tile.level, tile.index);
    if (width < tile.width) return undefined;
    // Another publisher may just have replaced the partial file by the full one.
    for (const wider of new Set([width, TILE_WIDTH])) {
      const bytes = await this.readPublished(tilePath({ ...tile, width: wider }));
      if (bytes !== undefined) return cut(bytes, wider, tile);
    }
    return undefined;
  }

  async readRefusal(): Promise<Refusal | undefined> {
    const found = await this.#storage.read(REFUSED);
    if (found === undefined) return undefined;
    const [since = '', sentence = ''] = Buffer.from(found.bytes).toString().split('\n');
    return { since, sentence };
  }

  async writeRefusal(refusal: Refusal | undefined): Promise<void> {
    if (refusal === undefined) await this.#storage.remove(REFUSED);
    else await this.#storage.write(REFUSED, utf8(`${refusal.since}\n${refusal.sentence}\n`));
  }

  /** Takes away all that was published and remembered: for a log that begins again under another name. */
  async clear(): Promise<void> {
    await this.#storage.remove(SHOWN);
    for (const name of [HIGH_WATER, REFUSED, WITNESSES]) await this.#storage.remove(name);
    await this.#storage.removeFolder('1');
  }

  /** Runs `work` while no other process of this machine does for this folder, or gives 'busy'. */
  alone<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    return this.#storage.alone(work);
  }
}

/** The log that `config` names; one for all that ask in this process. */
export const openLogFolder: (config: Pick<Config, 'dataDir' | 's3'>) => LogFolder = oncePer(
  (config) => new LogFolder(openLogStorage(config)),
);

function cut(bytes: Bytes, width: number, tile: Tile): Bytes {
  if (width === tile.width) return bytes;
  if (tile.level === 'entries') return formatBundle(parseBundle(bytes, width).slice(0, tile.width));
  parseTile(bytes, width);
  return bytes.slice(0, tile.width * HASH_BYTES);
}

/** Whether the file holds exactly `bytes`. A damaged one counts as other bytes. */
export async function holds(
  folder: LogFolder,
  tile: Tile,
  { size, bytes }: { size: number; bytes: Bytes },
): Promise<boolean> {
  try {
    const found = await folder.readTile(tile, size);
    return found !== undefined && equalBytes(found, bytes);
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}
