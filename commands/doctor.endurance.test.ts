// A registry that is well: the doctor ends with 0, and starts and stops its database as the other commands do.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '#test/cluster.ts';

test('after a backup all is well', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  await chmod(folder, 0o755);
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    DATA_DIR: path.join(folder, 'data'),
    PORT: String(await freePort()),
    ADMIN_PASSWORD: 'correct horse battery staple',
  };
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [path.join(import.meta.dirname, command), ...args], { env });
  await expect(run('doctor.ts')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('npm start makes it'),
  });
  await run('create-admin.ts', '--email', 'a@site.example', '--name', 'A Person');
  const file = path.join(folder, 'registry.tar');
  await run('backup.ts', file);
  const { stdout } = await run('doctor.ts');
  expect(stdout).not.toContain('WRONG');
  expect(stdout).toMatch(/^ok {5}Backup {4}0 minutes ago, .* kB: .*registry\.tar$/m);
  await rm(folder, { recursive: true });
}, 180_000);
