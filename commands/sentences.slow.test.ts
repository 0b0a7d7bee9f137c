// What goes wrong with a command is one sentence that names it, at once; and an import says much in few lines.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase, urlOf } from '#test/database.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'sentences-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function run(command: string, args: string[], more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: urlOf(database.address),
    DATA_DIR: path.join(folder, 'data'),
    PORT: '0',
    ...more,
  };
  const file = path.join(import.meta.dirname, command);
  return promisify(execFile)(process.execPath, [file, ...args], { env, timeout: 20_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: unknown; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test('a backup into a folder that is not there, or that is a file', async () => {
  const gone = path.join(folder, 'gone');
  expect(await run('backup.ts', [path.join(gone, 'registry.tar')])).toMatchObject({
    code: 1,
    stderr: `Not backed up. There is no folder ${gone}. Make it, or name another.\n`,
  });
  await writeFile(gone, '');
  expect(await run('backup.ts', [path.join(gone, 'registry.tar')])).toMatchObject({
    code: 1,
    stderr: `Not backed up. ${gone} cannot be written. Check its owner, or name another folder.\n`,
  });
});

test.runIf(process.platform === 'linux')('a DATA_DIR where no folder can be made', async () => {
  const sentence = '/proc/nope cannot be created. Set DATA_DIR to another folder.\n';
  for (const DATABASE_URL of ['', urlOf(database.address)])
    for (const [command, before] of [
      ['../server/index.ts', 'Not started. '],
      ['check-files.ts', 'Not checked. '],
    ] as const)
      expect(await run(command, [], { DATA_DIR: '/proc/nope/below', DATABASE_URL })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `${before}${sentence}`,
      });
});

test('an import says how many there are of each oddity with three examples, and the rest is in a file', async () => {
  const odd = { fitted_date: '14/05/2026', make: 7, vin: '???' };
  const Vehicles = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`XV${index}AB`, odd]));
  const file = path.join(folder, 'export.json');
  await writeFile(file, JSON.stringify({ Vehicles }));
  const { code, stdout } = await run('import.ts', [file, '--trial']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThan(25);
  expect(lines).toContain(
    '       50  corrected: fitted_date written in another form (Vehicles/XV0AB, Vehicles/XV1AB, Vehicles/XV2AB, …)',
  );
  expect(lines).toContain(
    '       50  refused: vin is not a VIN; stored but not shown (Vehicles/XV0AB, Vehicles/XV1AB, Vehicles/XV2AB, …)',
  );
  const report = /^Each of them is named in (.*)$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
  expect((await stat(report)).mode & 0o777).toBe(0o600);
  const whole = (await readFile(report, 'utf8')).split('\n');
  expect(whole).toContain('Vehicles/XV49AB: corrected: make was a number, read as text');
  expect(whole.filter((line) => line.includes('is not a VIN'))).toHaveLength(50);
});
