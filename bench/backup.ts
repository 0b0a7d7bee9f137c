// npm run bench:backup [-- VEHICLES]: how long, how large and in how much memory a backup is, and its restore into an empty
// registry, with four readings to a vehicle, all in the public log; 100,000 vehicles unless another number is given. Ends
// with 1 when what was restored does not give the same archive, or either takes more than 300 MB (its checks apart).
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { announceKey } from '#app/transparency-log/log-key.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { enterUnlogged } from '#app/transparency-log/enter-before-log.server.ts';
import { migrate } from '#database/migrate.ts';
import { sumsOf } from '#test/backups.ts';
import { insistOnLeaves } from '#test/cluster.ts';

const MEGABYTE = 1024 * 1024;
const MEMORY_MAX_MB = 300;
const vehicles = Number(process.argv[2] ?? 100_000);

const folder = await mkdtemp(path.join(tmpdir(), 'registry-bench-'));
await chmod(folder, 0o755);
const source = path.join(folder, 'source');
const log = { info: () => {}, warn: () => {} };
const { address, leave } = await joinEmbeddedPostgres({ dataDir: source, log, settings: { fsync: 'off' } });
await migrate(address);
await insistOnLeaves(address, false);
const { db } = openDatabase(address, { max: 2 });
await announceKey(db, readConfig({ DATA_DIR: source }));
await sql`insert into vehicle (rego, vin, make, model, company_name, notes, added_at)
  select 'B' || n, 'VIN' || upper(substr(md5(n::text), 1, 14)), 'Volvo', 'FH16', 'Company ' || n % 997, repeat('note ', 20), now()
  from generate_series(1, ${vehicles}) n`.execute(db);
await sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at)
  select v.rego, 1700000000000 + r, v.id, (array['STEER', 'DRIVE', 'TRAILERA', 'TRAILERB'])[r], 'Loaded Weight', '15640.5', now()
  from vehicle v, generate_series(1, 4) r`.execute(db);
const begun = performance.now();
await enterUnlogged(db, unitOf);
await sql`vacuum analyze`.execute(db);
say(`filled with ${vehicles} vehicles and ${4 * vehicles} readings; their log in ${seconds(begun)} s`);

const one = path.join(folder, 'one.tar');
const backup = await run('backup', source, one);
const size = (await stat(one)).size;
say(`backup: ${backup.seconds} s, ${(size / MEGABYTE).toFixed(0)} MB, at most ${backup.memory} MB of memory`);
await db.destroy();
await leave();
const target = path.join(folder, 'target');
const restore = await run('restore', target, one);
say(
  `restore: ${restore.restored} s, at most ${restore.memoryThen} MB of memory; then checked in ${(Number(restore.seconds) - Number(restore.restored)).toFixed(1)} s, at most ${restore.memory} MB`,
);
const two = path.join(folder, 'two.tar');
await run('backup', target, two);
const [before, after] = [await sumsOf(one, 'tables/'), await sumsOf(two, 'tables/')];
const others = after.filter((sum) => !before.includes(sum));
const isSame = before.length === after.length && others.length === 0;
say(isSame ? 'backed up again: the same bytes of every table' : `backed up again: OTHER BYTES\n${others.join('\n')}`);
await rm(folder, { recursive: true });
process.exit(isSame && Math.max(backup.memory, restore.memoryThen) <= MEMORY_MAX_MB ? 0 : 1);

type Run = { seconds: string; restored: string; memoryThen: number; memory: number };

/** Runs a command to its end. Memory is the most that its process had, in MB. */
async function run(name: string, dataDir: string, file: string): Promise<Run> {
  const started = performance.now();
  let restored = '';
  let [memory, memoryThen] = [0, 0];
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, `../commands/${name}.ts`), file], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (text: Buffer) => {
    process.stdout.write(text);
    if (!text.toString().includes('Now it is checked')) return;
    restored = seconds(started);
    memoryThen = Math.round(memory);
  });
  const watching = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)),
      () => undefined,
    );
  }, 100);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watching);
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}`);
  return { seconds: seconds(started), restored, memoryThen, memory: Math.round(memory) };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
