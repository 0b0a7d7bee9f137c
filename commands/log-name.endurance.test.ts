// How a log gets its name, as people do it: the import asks, a start says so, and one command names a trial log.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endWithProcess, freePort } from '#test/cluster.ts';
import { ready } from '#test/start-registry.ts';

// Eight programs one after another, each with a PostgreSQL to start and to stop.
const WITHIN_MS = 120_000;
const PUBLIC_URL = 'https://registry.example';
let folder: string;
let file: string;
let kept: () => void;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'log-name-'));
  await chmod(folder, 0o755);
  file = path.join(folder, 'export.json');
  await writeFile(file, JSON.stringify({ Vehicles: { XV11QT: {} } }));
  kept = endWithProcess(path.join(folder, 'data'));
});
afterEach(async () => {
  kept();
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  DATABASE_URL: '',
  PUBLIC_URL: '',
  DATA_DIR: path.join(folder, 'data'),
  ...more,
});

async function run(command: string, args: string[], more: NodeJS.ProcessEnv = {}) {
  return promisify(execFile)(process.execPath, [path.join(import.meta.dirname, command), ...args], {
    env: environment(more),
    cwd: folder,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: `${stdout}${stderr}` }),
    (error: { code: unknown; stdout: string; stderr: string }) => ({
      code: error.code,
      said: `${error.stdout}${error.stderr}`,
    }),
  );
}

// What a start says, and that it answers.
async function startOnce(more: NodeJS.ProcessEnv = {}): Promise<string> {
  const port = await freePort();
  const server: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, '../server/index.ts')], {
    env: environment({ LOG_LEVEL: 'warn', PORT: String(port), ...more }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  server.stdout?.on('data', (text) => (said += String(text)));
  await ready(`http://127.0.0.1:${port}`, server);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  return said;
}

test(
  'an import asks for the name before anything is made; a trial log says so, and is named by one command',
  async () => {
    const asked = await run('import.ts', [file]);
    expect(asked.code).toBe(1);
    expect(asked.said).toMatch(/^Which address will people use\? .*\n {2}PUBLIC_URL=https:.*\n.*--trial/);
    expect(await readdir(folder)).toEqual(['export.json']);

    expect(await run('import.ts', [file, '--trial'])).toMatchObject({ code: 0 });
    const trial = (await startOnce()).split('\n').filter((line) => line.includes('trial log'));
    expect(trial).toEqual([
      'This is a trial log, without a name of its own. For a registry that others rely on: PUBLIC_URL=https://… npm run name-log',
    ]);
    const again = await run('import.ts', [file], { PUBLIC_URL });
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('npm run name-log') });

    expect(await run('name-log.ts', [])).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^Not replaced\. Set PUBLIC_URL/),
    });
    expect(await run('name-log.ts', [], { PUBLIC_URL })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^The public log is now verified with registry\.example\/log\/1\+/),
    });
    const named = await startOnce({ PUBLIC_URL });
    expect(named).toContain('Its public log is verified with registry.example/log/1+');
    expect(named).not.toContain('trial');
    expect(await run('import.ts', [file], { PUBLIC_URL })).toMatchObject({ code: 0 });
  },
  WITHIN_MS,
);

test(
  'with PUBLIC_URL an import names the log, and asks nothing any more',
  async () => {
    expect(await run('import.ts', [file], { PUBLIC_URL })).toMatchObject({ code: 0 });
    expect(await run('import.ts', [file])).toMatchObject({ code: 0 });
  },
  WITHIN_MS,
);
