// A backup of a registry whose schema is another than this program's.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyWithin, createRecord, readMigrations } from '#database/migrate.ts';
import { backUp, restoreAnew } from '#test/backups.ts';
import { functionsOf } from '#test/database-functions.ts';
import { createEmptyDatabase, createTestDatabase } from '#test/database.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { ArchiveWriter } from './write-archive.server.ts';

let services: TestServices;
let folder: string;
beforeAll(async () => {
  services = await createTestServices();
  folder = await mkdtemp(path.join(tmpdir(), 'backups-'));
});
afterAll(async () => {
  await services.stop();
  await rm(folder, { recursive: true });
});

const archive = (name: string) => path.join(folder, `${name}.tar`);

test('an older one: made as it was, loaded, then migrated; one that this program does not know is refused', async () => {
  const old = await createEmptyDatabase();
  const client = new pg.Client(old.address);
  await client.connect();
  const migrations = await readMigrations();
  await createRecord(client);
  for (const migration of migrations.slice(0, 8)) await applyWithin(client, migration);
  await client.end();
  const { manifest } = await backUp({ ...services, address: old.address }, archive('old'));
  expect(manifest.migrations).toHaveLength(8);
  const restored = await restoreAnew(archive('old'));
  const { rows } = await sql`select from schema_migration`.execute(restored.db);
  expect(rows).toHaveLength(migrations.length);
  const fresh = await createTestDatabase();
  expect(await functionsOf(restored.pool)).toEqual(await functionsOf(fresh.pool));
  await fresh.drop();
  await restored.drop();
  await sql`insert into schema_migration values ('9999_later.sql', ${'0'.repeat(64)})`.execute(old.db);
  await expect(backUp({ ...services, address: old.address }, archive('later'))).rejects.toThrow('9999_later.sql');
  const later = { ...manifest, migrations: [...manifest.migrations, { name: '9999_later.sql', hash: '0'.repeat(64) }] };
  const writer = await ArchiveWriter.begin(archive('later'), new Date());
  await writer.addJson('manifest.json', { ...later, tables: [] });
  await writer.addJson('totals.json', {
    rows: {},
    sequences: [],
    files: { count: 0, bytes: 0, missing: 0, altered: 0 },
  });
  await writer.finish();
  await expect(restoreAnew(archive('later'))).rejects.toThrow(/another version of the registry \(9999_later\.sql\)/);
  await old.drop();
});
