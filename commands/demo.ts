// npm run demo: a registry of its own with sample records, imported through the importer, its dates relative to today, and
// what was recorded since: weighbridges, visits in each state and a recall.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { labelOrigin } from '#app/labels/label-origin.ts';
import { importExport } from '#app/import/import-export.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { demoExport } from '#database/demo/demo-export.ts';
import { fleetRecords } from '#database/demo/demo-fleet.ts';
import { type RunningServer, runServer } from '#server/index.ts';
import { addEvidence } from './demo-evidence.ts';
import { DEMO_SIGN_INS, addSignIns } from './demo-sign-ins.ts';
import { startWitnesses } from './demo-witnesses.ts';
import { openRegistry, type OpenRegistry } from './open-registry.ts';

const BUCKET = path.resolve(import.meta.dirname, '../database/demo/bucket');

// Always embedded, and never in the folder of a real registry.
const env = {
  ...process.env,
  DATABASE_URL: '',
  S3_BUCKET: '',
  S3_REGION: '',
  S3_ENDPOINT: '',
  DATA_DIR: path.join(process.env['DATA_DIR'] ?? './data', 'demo'),
  REGISTRY_NAME: process.env['REGISTRY_NAME'] ?? 'Truck Scale Registry (demo)',
};

let policyFile: string;
try {
  await fillOnce();
  policyFile = await startWitnesses(env);
} catch (error) {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
}
const witnessed = { ...env, WITNESS_POLICY_FILE: policyFile };
await runServer(() => ({ ...readConfig(witnessed), isDemo: true }), printForVisitors);

async function fillOnce(): Promise<void> {
  const registry = await openRegistry(env);
  try {
    await importOnce(registry);
    await addSignIns(registry.db);
    await addEvidence({ ...registry, now: () => new Date() });
  } finally {
    await registry.close();
  }
}

async function importOnce({ db, files, config }: OpenRegistry): Promise<void> {
  // The log entries come last: where they are, an import that was cut off left nothing to do.
  const filled = await db
    .selectFrom('importRecord')
    .select('key')
    .where('key', 'like', 'ActivityLogs/%')
    .limit(1)
    .executeTakeFirst();
  if (filled !== undefined) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-demo-'));
  try {
    const file = path.join(folder, 'export.json');
    await writeFile(file, JSON.stringify(demoExport(todayIn(config.timeZone), fleetRecords())));
    const report = await importExport({
      db,
      files,
      file,
      bucket: { folder: BUCKET },
      timeZone: config.timeZone,
      dryRun: false,
      now: () => new Date(),
      print: () => {},
      progress: () => {},
    });
    process.stdout.write(
      `The demo holds ${report.of('Vehicles', 'added')} invented vehicles with ${report.of('Calibrations', 'added').toLocaleString('en-AU')} calibration entries.\n`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function printForVisitors({ services }: RunningServer): void {
  process.stdout.write(
    `The labels for trucks lead to ${labelOrigin(services.config) ?? ''}, which only this machine can open.\n`,
  );
  for (const { role, page, email, password } of DEMO_SIGN_INS)
    process.stdout.write(`Sign in as ${role} at ${page}: ${email} with the password ${password}\n`);
}
