// What the database needs while a registry grows a thousandfold within minutes: statistics, without which it reads whole
// tables where an index would do, compacted search counts, and at the end the indexes that were dropped.
// Buys: compacting the counts of 1,000,000 vehicles only at the end takes 80 s in which nothing else goes on (7023379).
// Deletable with the deferred indexes.
import { sql } from 'kysely';
import { makeStatistics } from '#app/platform/database/server-speed.server.ts';
import { GROWING, makeDeferredIndexes } from './deferred-indexes.server.ts';
import type { ImportJob } from './import-job.server.ts';

const FIRST_ANALYSED = 4000;
// Each time nearly all counts by block are written again; what is left for the end takes less than the indexes do.
const COMPACT_EVERY = 400_000;
const TABLES = sql.join(GROWING.map((table) => sql.table(table)));

export class Upkeep {
  readonly #job: ImportJob;
  #taken = 0;
  #analyseAt = FIRST_ANALYSED;
  #compactAt = COMPACT_EVERY;
  #compacted: Promise<unknown> = Promise.resolve();

  constructor(job: ImportJob) {
    this.#job = job;
  }

  /** After a block of so many vehicles. Statistics are made each time the import has grown fourfold. */
  async after(vehicles: number): Promise<void> {
    this.#taken += vehicles;
    if (this.#job.dryRun || vehicles === 0) return;
    if (this.#taken >= this.#compactAt) this.#compactBeside();
    if (this.#taken < this.#analyseAt) return;
    this.#analyseAt = this.#taken * 4;
    await sql`analyze ${TABLES}`.execute(this.#job.db);
  }

  /** After the last block. `progress` gets the share of the indexes that is made. */
  async end(progress: (share: number) => void): Promise<void> {
    if (this.#job.dryRun) return;
    const { db } = this.#job;
    if (this.#taken > 0) this.#compactBeside();
    await Promise.all([this.#compacted, makeDeferredIndexes(db, progress)]);
    await makeStatistics(db, 'all');
  }

  // While the next blocks are written.
  #compactBeside(): void {
    this.#compactAt = this.#taken + COMPACT_EVERY;
    this.#compacted = this.#compacted.then(() =>
      sql`select fold_vehicle_grams(), compact_counts()`.execute(this.#job.db),
    );
    this.#compacted.catch(() => {}); // reported by whoever awaits it
  }
}
