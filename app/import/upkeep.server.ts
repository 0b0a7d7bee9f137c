// What the database needs while a registry grows a thousandfold within minutes: statistics, without which it reads whole
// tables where an index would do, and search counts folded.
import { sql } from 'kysely';
import type { ImportJob } from './import-job.server.ts';

const FIRST_ANALYSED = 4000;
// Each time all counts by block are written anew, however few are counted.
const FOLD_EVERY = 200_000;
const GROWING = sql.join(
  ['vehicle', 'calibration', 'validation', 'record_leaf', 'log_leaf', 'leaf_opening', 'log_chain', 'import_record'].map(
    (table) => sql.table(table),
  ),
);

export class Upkeep {
  readonly #job: ImportJob;
  #taken = 0;
  #analyseAt = FIRST_ANALYSED;
  #foldAt = FOLD_EVERY;

  constructor(job: ImportJob) {
    this.#job = job;
  }

  /** After a block of so many vehicles. Statistics are made each time the import has grown fourfold. */
  async after(vehicles: number): Promise<void> {
    this.#taken += vehicles;
    if (this.#job.dryRun || vehicles === 0) return;
    if (this.#taken >= this.#analyseAt) {
      this.#analyseAt = this.#taken * 4;
      await sql`analyze ${GROWING}`.execute(this.#job.db);
    }
    if (this.#taken < this.#foldAt) return;
    this.#foldAt = this.#taken + FOLD_EVERY;
    await this.#fold();
  }

  /** After the last block. */
  async end(): Promise<void> {
    if (this.#job.dryRun || this.#taken === 0) return;
    await this.#fold();
    if (this.#taken >= FIRST_ANALYSED) await sql`analyze ${GROWING}`.execute(this.#job.db);
  }

  async #fold(): Promise<void> {
    await sql`select fold_vehicle_grams()`.execute(this.#job.db);
  }
}
