// Every note that the publisher of a data folder ever signed, as far as it can be caught: anybody who holds two of one
// size with two roots has evidence of a fork, so what was written aside and never renamed counts too.
import { watch, type FSWatcher } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#app/platform/database/database.server.ts';
import { formatBase64, utf8 } from '#app/tlog/bytes.ts';
import { appendLeaf, EMPTY_FRONTIER, leafHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';

export class SignedNotes {
  readonly #folder: string;
  readonly #seen = new Set<string>();
  #watchers: FSWatcher[] = [];

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'log');
  }

  get seen(): number {
    return this.#seen.size;
  }

  async open(): Promise<void> {
    for (const folder of [this.#folder, path.join(this.#folder, '1')]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      this.#watchers.push(watch(folder, () => void this.look()));
    }
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  async look(): Promise<void> {
    for (const folder of [this.#folder, path.join(this.#folder, '1')])
      for (const name of await readdir(folder).catch(() => []))
        if (/^(high-water|checkpoint)/.test(name)) {
          const note = await readFile(path.join(folder, name), 'utf8').catch(() => '');
          // One that is not written to its end has no signature yet.
          if (/\n\n— .*\n$/.test(note)) this.#seen.add(note);
        }
  }

  /** Tells each note that is not of the tree that the database has. */
  async compare(db: Db, find: (sentence: string) => void): Promise<void> {
    await this.look();
    const leaves = await db.selectFrom('logLeaf').select('entry').orderBy('index').execute();
    const roots = [formatBase64(await rootOf(nodeSha256, EMPTY_FRONTIER))];
    let frontier = EMPTY_FRONTIER;
    for (const { entry } of leaves) {
      frontier = await appendLeaf(nodeSha256, frontier, await leafHash(nodeSha256, utf8(entry)));
      roots.push(formatBase64(await rootOf(nodeSha256, frontier)));
    }
    for (const note of this.#seen) {
      const [, size, root] = note.split('\n');
      if (roots[Number(size)] !== root)
        find(
          `A tree of ${size} entries was signed with the root ${root}; the database has ${roots[Number(size)] ?? `${leaves.length} entries`}.`,
        );
    }
  }
}
