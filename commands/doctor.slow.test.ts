// One answer on one screen: what is well, what is wrong and what to do about it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBackup } from '#app/backup/last-backup.server.ts';
import { freePort } from '#test/cluster.ts';
import { createTestDatabase, type TestDatabase, urlOf } from '#test/database.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'doctor-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function ask(more: NodeJS.ProcessEnv = {}): Promise<{ code: unknown; lines: string[] }> {
  const settings = { DATABASE_URL: urlOf(database.address), DATA_DIR: dataDir, PORT: String(await freePort()) };
  const env = { ...process.env, NODE_ENV: 'production', ...settings, ...more };
  const command = promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'doctor.ts')], { env });
  return command.then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n') }),
    ({ code, stdout }: { code: unknown; stdout: string }) => ({ code, lines: stdout.trimEnd().split('\n') }),
  );
}

test('what is wrong is said with what to do, and the rest is looked at too', async () => {
  const old = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await noteBackup(dataDir, { at: old, file: '/backups/registry.tar', bytes: 5_000_000 });
  await database.db
    .insertInto('mail')
    .values({ kind: 'reset', recipient: 'a@site.example', facts: '{}', queuedAt: new Date(old) })
    .execute();
  const { code, lines } = await ask({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  expect(code).toBe(1);
  const text = lines.join('\n');
  expect(lines.length).toBeLessThan(24);
  expect(text).toMatch(/^ok {5}Server {4}none answers at http:\/\/127\.0\.0\.1:\d+$/m);
  // The tests' own server.
  expect(text).toMatch(
    /^WRONG {2}Database {2}of DATABASE_URL, PostgreSQL \d.*\n(?: {17}.*\n)* {17}fsync is off \(a power cut/m,
  );
  expect(text).toMatch(/^WRONG {2}Mail {6}by 127\.0\.0\.1:\d+, 1 waiting\n {17}The mail server does not take it: .*/m);
  expect(text).toContain('The oldest waits for 3 days.');
  expect(text).toMatch(/^ok {5}Clock {5}.* s from the database's$/m);
  expect(text).toMatch(
    /^WRONG {2}Backup {4}3 days ago, 4\.8 MB: \/backups\/registry\.tar \(moved since\)\n {17}That is /m,
  );
});

test('a mail server that greets, and a backup of today, are well; a database that is away hides neither', async () => {
  await noteBackup(dataDir, { at: new Date().toISOString(), file: dataDir, bytes: 5_000_000 });
  await database.db.deleteFrom('mail').execute();
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  const port = await freePort();
  await new Promise<void>((resolve) => void mail.listen(port, '127.0.0.1', resolve));
  const well = await ask({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await new Promise<void>((resolve) => mail.close(resolve));
  expect(well.lines).toContain(`ok     Mail      by 127.0.0.1:${port}, 0 waiting`);
  expect(well.lines.at(-1)).toBe(`ok     Backup    0 minutes ago, 4.8 MB: ${dataDir}`);
  const away = await ask({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/registry' });
  expect(away.code).toBe(1);
  expect(away.lines.join('\n')).toMatch(
    /Database {2}of DATABASE_URL\n {17}It cannot be asked\. The database cannot be reached/,
  );
  expect(away.lines.at(-1)).toMatch(/^ok {5}Backup/);
});
