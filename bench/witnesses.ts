// npm run bench:witnesses: how long an entry waits until the checkpoint with it is witnessed, of three witnesses of which two are
// enough: two are docs/witness.mjs as anybody runs it, the third takes requests and never answers. Entries are appended at random times.
// Ends with 1 when the 95th percentile is over 15 s. ENTRIES=.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '#app/platform/process/config.server.ts';
import { parseCheckpoint } from '#app/tlog/checkpoint.ts';
import { formatVerifierKey, parseNote } from '#app/tlog/signed-note.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { freePort } from '#test/cluster.ts';
import { growLog } from '#test/published-log.ts';
import { startRegistry } from '#test/start-registry.ts';
import { policyOf } from '#test/witnesses/witness-lines.ts';
import { startScriptedWitness } from '#test/witnesses/scripted-witness.ts';

const ENTRIES = Number(process.env['ENTRIES'] ?? 100);
const EVERY_MS = 4000;
const LIMIT_S = 15;
const LOOK_MS = 100;
const PROGRAM = path.resolve(import.meta.dirname, '../docs/witness.mjs');

const processes: ChildProcess[] = [];
const silent = await startScriptedWitness({ name: 'silent.example/w' });
silent.always({ kind: 'hang' });
const registry = await startRegistry(async ({ dataDir }) => {
  const log = formatVerifierKey((await logKey(readConfig({ DATA_DIR: dataDir }))).verifier);
  const members = [{ name: 'silent', vkey: silent.vkey, url: silent.url }];
  for (const name of ['north', 'south']) members.push({ name, ...(await startWitness(dataDir, name, log)) });
  const file = path.join(dataDir, 'witness-policy');
  await writeFile(file, policyOf(members, 2));
  return { WITNESS_POLICY_FILE: file };
});
try {
  await witnessedSize(1);
  const waits = await Promise.all(Array.from({ length: ENTRIES }, (_, place) => appendAfter(place)));
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.min(waits.length - 1, Math.floor(share * waits.length))] ?? 0) / 1000;
  const p95 = at(0.95);
  process.stdout.write(
    `${ENTRIES} entries: witnessed after ${at(0.5).toFixed(1)} s (median), ${p95.toFixed(1)} s (95 of 100, at most ${LIMIT_S}), ${at(1).toFixed(1)} s (all)\n`,
  );
  process.exitCode = p95 <= LIMIT_S ? 0 : 1;
} finally {
  await registry.stop();
  for (const each of processes) each.kill();
  await silent.stop();
}

async function startWitness(folder: string, name: string, log: string): Promise<{ vkey: string; url: string }> {
  const key = path.join(folder, `${name}.key`);
  const made = await promisify(execFile)(process.execPath, [PROGRAM, '--new-key', `${name}.example/w`, key]);
  const port = await freePort();
  const settings = path.join(folder, `${name}.conf`);
  await writeFile(settings, `key ${key}\nstate ${name}.state\nlisten 127.0.0.1:${port}\nlog ${log}\n`);
  processes.push(spawn(process.execPath, [PROGRAM, settings], { stdio: ['ignore', 'ignore', 'inherit'] }));
  return { vkey: made.stdout.trim().split(/\s+/).at(-1) ?? '', url: `http://127.0.0.1:${port}` };
}

/** Appends an entry within its own few seconds, and waits until it is witnessed. Returns how long that took, in ms. */
async function appendAfter(place: number): Promise<number> {
  await pause((place + Math.random()) * EVERY_MS);
  await growLog(registry.db, 1);
  const begun = performance.now();
  const { leafSize } = await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  await witnessedSize(leafSize);
  return performance.now() - begun;
}

async function witnessedSize(least: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${registry.url}/log/1/checkpoint.witnessed`);
    const note = answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    if (note !== undefined && parseCheckpoint(parseNote(note).text).size >= least) return;
    await pause(LOOK_MS);
  }
}
