// npm run demo: a registry of its own with invented records, made at the first start. A folder that another version of
// the demo made, or that was not made to its end, is set aside, and a new one is made.
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { labelOrigin } from '#app/labels/label-origin.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { type RunningServer, runServer } from '#server/index.ts';
import { openRegistry } from '../open-registry.ts';
import { demoExport } from './export.ts';
import { fillDemo } from './fill.ts';
import { demoFleet } from './fleet.ts';
import { DEMO_SIGN_INS } from './people.ts';
import { RECORDS } from './table.ts';
import { startWitnesses } from './witnesses.ts';

const folder = path.join(process.env['DATA_DIR'] ?? './data', 'demo');
// Always embedded, and never in the folder of a real registry.
const env = {
  ...process.env,
  DATABASE_URL: '',
  S3_BUCKET: '',
  S3_REGION: '',
  S3_ENDPOINT: '',
  DATA_DIR: folder,
  REGISTRY_NAME: process.env['REGISTRY_NAME'] ?? 'Truck Scale Registry (demo)',
};
const marker = path.join(folder, 'demo-is-whole');
const say = (line: string) => process.stdout.write(`${line}\n`);

let policyFile: string;
try {
  await makeOnce();
  policyFile = await startWitnesses(env);
} catch (error) {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
}
const witnessed = { ...env, WITNESS_POLICY_FILE: policyFile };
await runServer(() => ({ ...readConfig(witnessed), isDemo: true }), printForVisitors);

async function makeOnce(): Promise<void> {
  // Another one when the records are others.
  const records = [demoExport('2026-01-01', demoFleet()), demoFleet().visits, RECORDS];
  const version = createHash('sha256').update(JSON.stringify(records)).digest('hex');
  if ((await unlessMissing(readFile(marker, 'utf8')))?.trim() === version) return;
  const there = (await unlessMissing(readdir(folder))) ?? [];
  if (there.length > 0) await setAside();
  const registry = await openRegistry(env);
  await fillDemo({ ...registry, now: () => new Date() }).finally(registry.close);
  await writeFile(marker, `${version}\n`);
}

async function setAside(): Promise<void> {
  if (await isRunning())
    throw new StartError(`Another demo runs in ${folder}, and is of another version. Stop it first.`);
  const aside = `${folder}-until-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await rename(folder, aside);
  say(`The demo of another version, or one that was not made to its end, is set aside in ${aside}. A new one is made.`);
}

// Whether its PostgreSQL answers: the file that names its socket stays where it was killed.
async function isRunning(): Promise<boolean> {
  const text = await unlessMissing(readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8'));
  const [, , , port, socket] = text?.split('\n') ?? [];
  if (socket === undefined) return false;
  return new Promise((resolve) => {
    const connection = connect(path.join(socket, `.s.PGSQL.${port}`));
    connection.on('connect', () => resolve(true)).on('error', () => resolve(false));
    connection.on('connect', () => connection.destroy());
  });
}

function printForVisitors({ services }: RunningServer): void {
  say(`The labels for trucks lead to ${labelOrigin(services.config) ?? ''}, which only this machine can open.`);
  for (const { role, page, email, password } of DEMO_SIGN_INS)
    say(`Sign in as ${role} at ${page}: ${email} with the password ${password}`);
}
