import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { startFaultProxy } from '#test/fault-proxy.ts';
import { canMount, mountSmallDisk } from '#test/small-disk.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { healthApp } from './health.ts';

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices();
});
afterEach(() => services.stop());

const ask = async (path: string, given = services) => {
  const answer = await healthApp(given).request(path);
  return [answer.status, await answer.text()];
};

test('ready is who reaches a migrated database', async () => {
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
});

test.each(['refuse', 'reset', 'silence'] as const)(
  'a database that does %s: not ready, alive, ready again',
  async (kind) => {
    const cluster = inject('cluster');
    const proxy = await startFaultProxy({ path: `${cluster.host}/.s.PGSQL.${cluster.port}` });
    const { db } = openDatabase(
      { ...cluster, ...services.address, host: '127.0.0.1', port: proxy.port },
      { max: 1, patience: { statementMs: 4000, silenceMs: 4000 } },
    );
    const far = { ...services, db };
    expect(await ask('/readyz', far)).toEqual([200, 'ready\n']);
    await proxy.set({ kind });
    expect(await ask('/readyz', far)).toEqual([
      503,
      expect.stringMatching(/^the database (cannot be reached|does not answer)/),
    ]);
    expect(await ask('/healthz', far)).toEqual([200, 'ok\n']);
    await proxy.set({ kind: 'none' });
    await expect.poll(() => ask('/readyz', far), { timeout: 10_000 }).toEqual([200, 'ready\n']);
    await proxy.close();
    await db.destroy();
  },
);

test('a database of an older version, or none of ours: not ready, and what it lacks', async () => {
  const [first = ''] = services.migrations;
  await sql`delete from schema_migration where name = ${first}`.execute(services.db);
  expect(await ask('/readyz')).toEqual([503, `the database has not been migrated: it lacks ${first}\n`]);
  await sql`drop table schema_migration`.execute(services.db);
  expect(await ask('/readyz')).toEqual([503, 'the database has not been migrated: it is empty\n']);
});

test.runIf(canMount())('on a full disk: not ready, and ready again when there is room', async () => {
  const disk = await mountSmallDisk(services.config.dataDir, 2);
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
  await disk.fill();
  expect(await ask('/readyz')).toEqual([
    503,
    expect.stringMatching(/^no room is left on the disk of DATA_DIR \(\/.*\)/),
  ]);
  await disk.empty();
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
  disk.unmount();
});

test('one of a newer version is ready: the older goes on beside it during an upgrade', async () => {
  await sql`insert into schema_migration (name, hash) values ('9999_later.sql', '')`.execute(services.db);
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
});

test('a standby is ready to be read, and says that it takes no writes', async () => {
  await services.db.connection().execute(async (db) => {
    await sql`set default_transaction_read_only = on`.execute(db);
    expect(await ask('/readyz', { ...services, db })).toEqual([
      200,
      'ready to be read: the database takes no writes\n',
    ]);
  });
});
