// The registry's own server as a process of its own, started as `npm start` does, of this checkout or another.
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { SERVER_ENV, SERVER_FLAGS } from '../scripts/server-flags.mjs';
import { freePort } from '#test/cluster.ts';

/** `startedMs`: from the start to the first answer. */
export type Served = { url: string; pid: number; startedMs: number; stop: () => Promise<void> };

const WITHIN_MS = 600_000;
const EVERY_MS = 10;
// A bench that is stopped ends the servers that it started.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Starts it on `dataDir`. Its first answer is a search. */
export async function serveRegistry(
  dataDir: string,
  checkout = path.resolve(import.meta.dirname, '..'),
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [...SERVER_FLAGS, path.join(checkout, 'server/index.ts')], {
    cwd: checkout,
    env: {
      ...process.env,
      ...SERVER_ENV,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      S3_BUCKET: '',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const endAlong = () => child.kill('SIGKILL');
  process.once('exit', endAlong);
  for (;;) {
    const answer = await fetch(`${url}/api/v1/vehicles?q=A`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) break;
    if (child.exitCode !== null) throw new Error(`the server of ${checkout} ended with ${child.exitCode}`);
    if (performance.now() - began > WITHIN_MS) throw new Error(`the server of ${checkout} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  const stop = () => end(child).finally(() => process.off('exit', endAlong));
  return { url, pid: child.pid ?? 0, startedMs: Math.round(performance.now() - began), stop };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
