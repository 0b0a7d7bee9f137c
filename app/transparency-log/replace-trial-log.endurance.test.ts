// A trial log gets its real name while only an import has recorded anything, and every record is in the new log.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { todayIn } from '#app/platform/time/calendar.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { demoExport } from '#commands/demo/export.ts';
import { type ImportBench, openImportBench } from '#test/import-run.ts';
import { audit, growLog } from '#test/published-log.ts';
import { policyEvent } from './policy-events.server.ts';
import { openLogFolder } from './log-folder.server.ts';
import { announceKey, logKey } from './log-key.server.ts';
import { publishLog } from './publish.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { type ReplacedLog, replaceTrialLog } from './replace-trial-log.server.ts';
import { verifyDatabase } from './verify-database.server.ts';

const PUBLIC_URL = 'https://registry.example';
let bench: ImportBench;
let dataDir: string;
beforeEach(async () => {
  bench = await openImportBench();
  dataDir = await mkdtemp(path.join(tmpdir(), 'trial-log-'));
  const config = readConfig({ DATA_DIR: dataDir });
  await announceKey(bench.database.db, config);
  await enterFirstPolicy(bench.database.db);
  await bench.run(demoExport(todayIn('Australia/Sydney')));
  await publish(config);
});
afterEach(async () => {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
});

const publish = async (config: ReturnType<typeof readConfig>) =>
  publishLog({ db: bench.database.db, folder: openLogFolder(config), key: await logKey(config) });

// As the command does it: with connections of its own, and nobody else's.
async function replace(env: NodeJS.ProcessEnv = { PUBLIC_URL }): Promise<ReplacedLog> {
  const { db } = openDatabase(bench.database.address, { max: 3, onError: () => {} });
  const { pool } = bench.database;
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of idle) client.release(true);
  const config = readConfig({ DATA_DIR: dataDir, ...env });
  return replaceTrialLog({ db, config, policies: [policyEvent(FIRST_POLICY)], unitOf, waitMs: 2000 }).finally(() =>
    db.destroy(),
  );
}

const findings = async () => {
  const told: string[] = [];
  const { entries } = await verifyDatabase(bench.database.db, (finding) => told.push(finding));
  return { entries, told };
};

test('every record is in the log of the real name, which is signed, audited, and verified against the database', async () => {
  const before = await findings();
  expect(before.told).toEqual([]);
  const { verifierKey, entries } = await replace();
  expect(verifierKey).toMatch(/^registry\.example\/log\/1\+/);
  const after = await findings();
  expect(after).toEqual({ entries, told: [] });
  expect(after.entries).toBeGreaterThan(500);
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL });
  expect(await publish(config)).toEqual({ outcome: 'published', size: entries });
  const key = await logKey(config);
  expect(await audit(path.join(dataDir, 'log/1'), key)).toMatchObject({ result: 'proved' });
  await expect(replace()).rejects.toThrow('it has its name, which never changes');
});

test('it stays once somebody has recorded something, and when a server is running or no name is given', async () => {
  const file = path.join(dataDir, 'keys/log-key');
  const [key, { entries }] = [await readFile(file, 'utf8'), await findings()];
  await expect(replace({})).rejects.toThrow('Set PUBLIC_URL');
  const running = await bench.database.pool.connect();
  await expect(replace()).rejects.toThrow(/^Others are connected to this database .* Stop every server on it first\.$/);
  running.release();
  await growLog(bench.database.db, 1);
  await expect(replace()).rejects.toThrow(`its entry ${entries} was recorded by somebody and not by an import`);
  expect(await readFile(file, 'utf8')).toBe(key);
  expect((await findings()).entries).toBe(entries + 1);
  expect(await openLogFolder(readConfig({ DATA_DIR: dataDir })).readHighWaterNote()).toBeDefined();
});

test('one that was cut off after the database had the new log is completed by the next', async () => {
  const keys = path.join(dataDir, 'keys');
  const published = path.join(dataDir, 'log');
  await cp(keys, `${dataDir}/keys-before`, { recursive: true });
  await cp(published, `${dataDir}/log-before`, { recursive: true });
  const first = await replace();
  // As it was when the transaction had just committed.
  await cp(path.join(keys, 'log-key'), path.join(keys, 'log-key.next'));
  await cp(`${dataDir}/keys-before/log-key`, path.join(keys, 'log-key'));
  await cp(`${dataDir}/log-before`, published, { recursive: true });
  expect(await replace()).toEqual(first);
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL });
  expect(await publish(config)).toEqual({ outcome: 'published', size: first.entries });
});
