// What a visitor finds in the demo: labels too, which lead to the demo itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endWithProcess, freePort } from '#test/cluster.ts';
import { cookieOf } from '#test/people.ts';
import { ready } from '#test/start-registry.ts';
import { DEMO_SIGN_INS } from './demo-sign-ins.ts';

const WITHIN_MS = 120_000;
let folder: string;
let kept: () => void;
let demo: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  await chmod(folder, 0o755);
  kept = endWithProcess(path.join(folder, 'demo'));
});
afterEach(async () => {
  await end();
  kept();
  await rm(folder, { recursive: true, force: true });
});

async function end(): Promise<void> {
  if (demo === undefined || demo.exitCode !== null || demo.signalCode !== null) return;
  const ended = new Promise((resolve) => demo?.once('exit', resolve));
  demo.kill('SIGTERM');
  await ended;
}

test(
  'the demo has labels, and says where they lead',
  async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    demo = spawn(process.execPath, [path.join(import.meta.dirname, 'demo.ts')], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PUBLIC_URL: '',
        LOG_LEVEL: 'warn',
        DATA_DIR: folder,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    demo.stdout?.on('data', (text) => (said += String(text)));
    await ready(url, demo);
    const [{ email, password }] = DEMO_SIGN_INS;
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams({ email, password }),
    });
    const headers = { cookie: cookieOf(answer.headers.getSetCookie()) };
    const label = await fetch(`${url}/vehicles/label/XV04KL.svg`, { headers });
    expect([label.status, label.headers.get('content-type')]).toEqual([200, expect.stringContaining('image/svg+xml')]);
    await end();
    expect(said).toContain(`The labels for trucks lead to ${url}, which only this machine can open.\n`);
    // It is no registry whose log wants a name.
    expect(said).not.toContain('trial');
  },
  WITHIN_MS,
);
