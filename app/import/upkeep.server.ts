// What the database needs while a registry grows a thousandfold within minutes: statistics, without which it reads whole
// tables where an index would do, search counts folded, and at the end the indexes that were left out.
import { sql } from 'kysely';
import { GROWING, makeDeferredIndexes } from './deferred-indexes.server.ts';
import type { ImportJob } from './import-job.server.ts';

const FIRST_ANALYSED = 4000;
// Each time nearly all counts by block are written anew; what is left for the end takes less than the indexes do.
const FOLD_EVERY = 400_000;
const TABLES = sql.join(GROWING.map((table) => sql.table(table)));

export class Upkeep {
  readonly #job: ImportJob;
  #taken = 0;
  #analyseAt = FIRST_ANALYSED;
  #foldAt = FOLD_EVERY;
  #folded: Promise<unknown> = Promise.resolve();

  constructor(job: ImportJob) {
    this.#job = job;
  }

  /** After a block of so many vehicles. Statistics are made each time the import has grown fourfold. */
  async after(vehicles: number): Promise<void> {
    this.#taken += vehicles;
    if (this.#job.dryRun || vehicles === 0) return;
    if (this.#taken >= this.#foldAt) this.#foldBeside();
    if (this.#taken < this.#analyseAt) return;
    this.#analyseAt = this.#taken * 4;
    await sql`analyze ${TABLES}`.execute(this.#job.db);
  }

  /** After the last block. `progress` hears which share of the indexes is made. */
  async end(progress: (share: number) => void): Promise<void> {
    if (this.#job.dryRun) return;
    const { db } = this.#job;
    if (this.#taken > 0) this.#foldBeside();
    await Promise.all([this.#folded, makeDeferredIndexes(db, progress)]);
    if (this.#taken >= FIRST_ANALYSED) await sql`analyze ${TABLES}`.execute(db);
  }

  // While the next blocks are written.
  #foldBeside(): void {
    this.#foldAt = this.#taken + FOLD_EVERY;
    this.#folded = this.#folded.then(() => sql`select fold_vehicle_grams()`.execute(this.#job.db));
    this.#folded.catch(() => {}); // told by whoever waits for it
  }
}
