// The log's files below DATA_DIR/log: `1/` as everyone may read it (c2sp.org/tlog-tiles), and beside it what the publisher
// must remember outside the database: `high-water`, the last note that it signed, and `refused`, why it signs no more.
import { mkdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeWhole } from '#app/platform/whole-file.server.ts';
import { type Bytes, equalBytes, Malformed, utf8 } from './bytes.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import type { VerifierKey } from './signed-note.ts';
import { HASH_BYTES } from './sha256.ts';
import {
  CHECKPOINT_PATH,
  formatBundle,
  parseBundle,
  parseTile,
  type Tile,
  TILE_WIDTH,
  tilePath,
  widthAt,
} from './tiles.ts';

export type SignedHead = { note: Bytes; head: Checkpoint };
export type Refusal = { sentence: string; since: string };

export class LogFolder {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'log');
  }

  /** The file at `name` below the log's prefix, as it lies there. */
  readPublished(name: string): Promise<Bytes | undefined> {
    return readBytes(path.join(this.#folder, '1', name));
  }

  async writePublished(name: string, bytes: Uint8Array): Promise<void> {
    await writeWhole(path.join(this.#folder, '1', name), bytes);
  }

  /** Removes the narrower versions of a tile that is full and signed (tlog-tiles, 'Partial Tiles'). */
  async removePartials(tile: Tile): Promise<void> {
    const partial = path.join(this.#folder, '1', tilePath({ ...tile, width: 1 }));
    await rm(path.dirname(partial), { recursive: true, force: true });
  }

  /** The checkpoint that everyone sees. Throws when it is not one of `key`. */
  readCheckpoint(key: VerifierKey): Promise<SignedHead | undefined> {
    return this.#readHead(path.join('1', CHECKPOINT_PATH), key);
  }

  /** When the last note was signed. Its checkpoint may have been written anew since. */
  async signedAt(): Promise<Date | undefined> {
    for (const file of ['high-water', path.join('1', CHECKPOINT_PATH)]) {
      const found = await stat(path.join(this.#folder, file)).catch(() => undefined);
      if (found !== undefined) return found.mtime;
    }
    return undefined;
  }

  readHighWater(key: VerifierKey): Promise<SignedHead | undefined> {
    return this.#readHead('high-water', key);
  }

  /** The same, not verified. */
  readHighWaterNote(): Promise<Bytes | undefined> {
    return readBytes(path.join(this.#folder, 'high-water'));
  }

  /** `signedAt`: when, if not now. */
  async writeHighWater(note: Bytes, signedAt?: Date): Promise<void> {
    const file = path.join(this.#folder, 'high-water');
    await writeWhole(file, note);
    if (signedAt !== undefined) await utimes(file, signedAt, signedAt);
  }

  async #readHead(name: string, key: VerifierKey): Promise<SignedHead | undefined> {
    const note = await readBytes(path.join(this.#folder, name));
    return note === undefined ? undefined : { note, head: await openCheckpoint(note, key) };
  }

  /**
   * A tile or bundle of the tree of `size`, at any width it has had, or undefined when that tree has none. It is cut from
   * what the signed tree has: a file of another width may be left over from a tree that was never signed.
   */
  async readTile(tile: Tile, size: number): Promise<Bytes | undefined> {
    const width = widthAt(size, tile.level, tile.index);
    if (width < tile.width) return undefined;
    // A publisher beside us may just have put the full file in the place of the partial one.
    for (const wider of new Set([width, TILE_WIDTH])) {
      const bytes = await this.readPublished(tilePath({ ...tile, width: wider }));
      if (bytes !== undefined) return cut(bytes, wider, tile);
    }
    return undefined;
  }

  async readRefusal(): Promise<Refusal | undefined> {
    const bytes = await readBytes(path.join(this.#folder, 'refused'));
    if (bytes === undefined) return undefined;
    const [since = '', sentence = ''] = Buffer.from(bytes).toString().split('\n');
    return { since, sentence };
  }

  async writeRefusal(refusal: Refusal | undefined): Promise<void> {
    const file = path.join(this.#folder, 'refused');
    if (refusal === undefined) await rm(file, { force: true });
    else await writeWhole(file, utf8(`${refusal.since}\n${refusal.sentence}\n`));
  }

  /**
   * Runs `work` while no other process does for this folder, or gives 'busy'. SQLite's lock is one of the operating
   * system: it goes with its process, however that ends. The database's own locks do not keep apart two processes that
   * share the folder and not the database.
   */
  async alone<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(path.join(this.#folder, 'lock'));
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
  }
}

const SQLITE_BUSY = 5;

function cut(bytes: Bytes, width: number, tile: Tile): Bytes {
  if (width === tile.width) return bytes;
  if (tile.level === 'entries') return formatBundle(parseBundle(bytes, width).slice(0, tile.width));
  parseTile(bytes, width);
  return bytes.slice(0, tile.width * HASH_BYTES);
}

/** Whether the file holds exactly `bytes`. A damaged one counts as other bytes. */
export async function holds(folder: LogFolder, tile: Tile, size: number, bytes: Bytes): Promise<boolean> {
  try {
    const found = await folder.readTile(tile, size);
    return found !== undefined && equalBytes(found, bytes);
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

async function readBytes(file: string): Promise<Bytes | undefined> {
  try {
    return Uint8Array.from(await readFile(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
