// A generated registry in a folder of its own, made once: exported, imported by the command, its visits since the import
// recorded, and left there.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { writeNationalExport } from './national-export.ts';
import { recordVisits } from './record-visits.ts';
import { REGISTRY_KINDS, type RegistryKind, type RegistryPlan } from './registry-plan.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
// As the import command has it.
const FEW_CHECKPOINTS = { max_wal_size: '8GB', checkpoint_timeout: '30min' };
const CONNECTIONS = 4;
// A block of the import is 250 trucks: with 100 readings each it does not fit into the heap that the command is given.
const HEAP: Readonly<Record<RegistryKind, readonly string[]>> = {
  four: ['--max-old-space-size=320'],
  histories: ['--max-old-space-size=2048'],
};

const loadedSchema = z.object({
  kind: z.enum(REGISTRY_KINDS),
  vehicles: z.number(),
  /** The day around which it was generated. */
  today: z.string(),
  exportMb: z.number(),
  importSeconds: z.number(),
  visits: z.number(),
  visitSeconds: z.number(),
});
export type Loaded = z.infer<typeof loadedSchema>;

/** Loads the registry of `plan` into `folder`, unless it is there. */
export async function loadRegistry(folder: string, plan: RegistryPlan, say: (line: string) => void): Promise<Loaded> {
  const marker = path.join(folder, 'loaded.json');
  const there = await readFile(marker, 'utf8').catch(() => undefined);
  if (there !== undefined) return insistOn(plan, loadedSchema.parse(JSON.parse(there)));
  await mkdir(folder, { recursive: true });
  // PostgreSQL runs as another user where we are root.
  await chmod(folder, 0o755);
  const today = todayIn('Australia/Sydney');
  const [file, bucket] = [path.join(folder, 'export.json'), path.join(folder, 'bucket')];
  await mkdir(bucket, { recursive: true });
  say(`Writing an export of ${plan.vehicles} vehicles …`);
  const exportMb = Math.round((await writeNationalExport(plan, { file, bucket, today })) / 1e6);
  const importSeconds = await seconds(() => importFile(folder, file, bucket, HEAP[plan.kind]));
  say(`Imported ${exportMb} MB in ${importSeconds} s.`);
  await rm(file);
  await rm(bucket, { recursive: true });
  let visits = 0;
  const visitSeconds = await seconds(async () => (visits = await record(folder, plan, today)));
  say(`Recorded ${visits} visits in ${visitSeconds} s.`);
  const { kind, vehicles } = plan;
  const loaded: Loaded = { kind, vehicles, today, exportMb, importSeconds, visits, visitSeconds };
  await writeFile(marker, JSON.stringify(loaded));
  return loaded;
}

function insistOn({ kind, vehicles }: RegistryPlan, loaded: Loaded): Loaded {
  if (loaded.kind === kind && loaded.vehicles === vehicles) return loaded;
  throw new Error(`the folder holds another registry: ${loaded.kind}, ${loaded.vehicles} vehicles`);
}

async function importFile(folder: string, file: string, bucket: string, heap: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [...heap, 'commands/import.ts', file, '--files', bucket, '--trial'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: folder, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
}

async function record(folder: string, plan: RegistryPlan, today: string): Promise<number> {
  const log = { info: () => {}, warn: () => {} };
  const { address, leave } = await joinEmbeddedPostgres({ dataDir: folder, log, settings: FEW_CHECKPOINTS });
  const { db } = openDatabase(address, { max: CONNECTIONS });
  try {
    return await recordVisits(
      { db, files: await openFileStore({ directory: path.join(folder, 'files') }) },
      plan,
      today,
    );
  } finally {
    await db.destroy();
    await leave();
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round((performance.now() - began) / 1000);
}
