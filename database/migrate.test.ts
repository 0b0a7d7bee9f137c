import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { SocketAddress } from '#test/cluster.ts';
import { migrate, requireVersion } from './migrate.ts';
import { MigrationError } from './migration-error.ts';

let address: SocketAddress;
let admin: pg.Client;
const NAME = `migrate_${process.pid}`;
beforeAll(async () => {
  admin = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${NAME}`);
  address = { ...inject('cluster'), database: NAME };
});
afterAll(async () => {
  await admin.query(`drop database ${NAME} with (force)`);
  await admin.end();
});

async function query(text: string, to: pg.ClientConfig = address): Promise<void> {
  const client = new pg.Client(to);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

test('several processes that start at once migrate once', async () => {
  const done = await Promise.all([migrate(address), migrate(address), migrate(address)]);
  expect(done.flat().length).toBeGreaterThan(0);
  expect(done.filter((names) => names.length > 0)).toHaveLength(1);
  expect(await migrate(address)).toEqual([]);
});

test('a landed file that was changed, and a schema from the future, are refused with a sentence', async () => {
  await query("update schema_migration set hash = 'x' where name = '0001_registry.sql'");
  await expect(migrate(address)).rejects.toThrow(
    'The migration 0001_registry.sql was changed after it had been applied. Restore the file.',
  );
  await query("insert into schema_migration (name, hash) values ('9999_future.sql', 'x')");
  await expect(migrate(address)).rejects.toThrow(/newer version of the registry \(9999_future\.sql\)/);
});

test('a database that cannot be reached, an old server, and a missing right are told plainly', async () => {
  await expect(migrate({ connectionString: 'postgres://nobody@127.0.0.1:1/x' })).rejects.toThrow(
    /^The database cannot be reached: .* Check DATABASE_URL\.$/,
  );
  expect(() => requireVersion(140_011)).toThrow(
    'The database is PostgreSQL 14; the registry needs version 15 or newer.',
  );
  expect(() => requireVersion(150_000)).not.toThrow();
  const role = `plain_${process.pid}`;
  await admin.query(`create role ${role} login password 'x'`);
  await admin.query(`create database ${role}`);
  await admin.query(`grant create on schema public to public`);
  await query('grant create on schema public to public', { ...address, database: role });
  try {
    await expect(migrate({ ...address, database: role, user: role, password: 'x' })).rejects.toThrow(
      new MigrationError(
        'The database does not let this user create the extension pg_trgm. Let an administrator run: CREATE EXTENSION pg_trgm;',
      ),
    );
  } finally {
    await admin.query(`drop database ${role} with (force)`);
    await admin.query(`drop role ${role}`);
  }
});

test('a database whose texts would be read otherwise is refused before anything is in it', async () => {
  const other = { ...address, database: `${NAME}_other` };
  const made = async (how: string) => {
    await admin.query(`create database ${other.database} template template0 ${how}`);
    try {
      return await migrate(other).catch((error: unknown) => error);
    } finally {
      await admin.query(`drop database ${other.database}`);
    }
  };
  const [ascii, turkish] = [
    await made("encoding 'SQL_ASCII' locale_provider libc locale 'C'"),
    await made("encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'"),
  ];
  expect(ascii).toBeInstanceOf(MigrationError);
  expect(String(ascii)).toContain('encoding SQL_ASCII; the registry needs UTF8. Make it so: create database');
  expect(String(turkish)).toContain('writes IÉ small as ıé. Make it so: create database');
});
