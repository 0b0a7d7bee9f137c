// Runs the import command beside a running registry. The process ends with its database, or is killed itself. Its exit
// code is its acknowledgement.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const VEHICLES_A_RUN = 6;

type Run = { regos: string[]; file: string; done: boolean };

export class ImportBeside {
  readonly #registry: StartedRegistry;
  readonly #runs: Run[] = [];
  #child: ChildProcess | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(registry: StartedRegistry) {
    this.#registry = registry;
  }

  /** Starts an import of new vehicles, or of the same ones again if the last import was cut off. */
  async begin(): Promise<void> {
    await this.#running;
    const last = this.#runs.at(-1);
    const run = last === undefined || last.done ? await this.#newRun() : last;
    const child = spawn(
      process.execPath,
      [path.join(ROOT, 'commands/import.ts'), run.file, '--files', path.join(ROOT, 'commands/demo/bucket'), '--trial'],
      { env: { ...process.env, DATABASE_URL: '', DATA_DIR: this.#registry.dataDir }, stdio: 'ignore' },
    );
    this.#child = child;
    this.#running = new Promise((resolve) =>
      child.once('exit', (code) => {
        run.done = code === 0;
        resolve();
      }),
    );
  }

  /** Kills it where it runs. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Waits for its end. */
  async ended(): Promise<void> {
    await this.#running;
  }

  get done(): number {
    return this.#runs.filter(({ done }) => done).length;
  }

  /** Reports differences from the acknowledgements. A vehicle must be complete or absent. */
  async compare(db: Db, find: (sentence: string) => void): Promise<void> {
    const rows = await db
      .selectFrom('vehicle')
      .leftJoin('calibration', 'calibration.vehicleId', 'vehicle.id')
      .select((eb) => ['vehicle.rego', eb.fn.count<number>('calibration.id').as('n')])
      .where('vehicle.rego', 'like', 'IM%')
      .groupBy(['vehicle.id', 'vehicle.rego'])
      .execute();
    const kept = await db.selectFrom('importRecord').select('key').where('key', 'like', 'Vehicles/IM%').execute();
    const keptKeys = new Set(kept.map(({ key }) => key));
    const calibrations = new Map(rows.map(({ rego, n }) => [rego, n]));
    for (const { regos, done } of this.#runs)
      for (const rego of regos) {
        const n = calibrations.get(rego);
        if (done && n === undefined) find(`${rego} was imported, and is not there.`);
        if (n === 0) find(`${rego} is there without its calibrations.`);
        if ((n !== undefined) !== keptKeys.has(`Vehicles/${rego}`))
          find(
            `${rego}: the vehicle ${n === undefined ? 'is not' : 'is'} there, what the importer keeps of it ${n === undefined ? 'is' : 'is not'}.`,
          );
      }
    for (const { rego } of rows)
      if (rows.filter((row) => row.rego === rego).length > 1) find(`${rego} was imported twice.`);
  }

  async #newRun(): Promise<Run> {
    const { Vehicles } = JSON.parse(JSON.stringify(demoExport(todayIn('Australia/Sydney')))) as {
      Vehicles: Record<string, Record<string, unknown>>;
    };
    const calibrated = Object.values(Vehicles).filter(({ calibrations }) => calibrations !== undefined);
    const number = this.#runs.length;
    const entries = calibrated
      .slice((number * VEHICLES_A_RUN) % 30)
      .slice(0, VEHICLES_A_RUN)
      .map((vehicle, n) => [`IM${number}X${n}`, { ...vehicle, rego: `IM${number}X${n}` }] as const);
    const file = path.join(this.#registry.dataDir, `export-${number}.json`);
    await writeFile(file, JSON.stringify({ Vehicles: Object.fromEntries(entries) }));
    const run = { regos: entries.map(([rego]) => rego), file, done: false };
    this.#runs.push(run);
    return run;
  }
}
