import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { migrate } from './migrate.ts';

test('indexes that a killed import of an older version left out are made, and tables are vacuumed again', async () => {
  const { db, address, drop } = await createTestDatabase();
  const state = async () => {
    const { rows } = await sql`select relname, reloptions, pg_get_indexdef(oid) as definition from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by 1`.execute(db);
    return rows;
  };
  const before = await state();
  await sql`create table deferred_index (name text primary key, definition text not null)`.execute(db);
  await sql`insert into deferred_index select 'vehicle_live_search', pg_get_indexdef('vehicle_live_search'::regclass)`.execute(
    db,
  );
  await sql`drop index vehicle_live_search`.execute(db);
  await sql`alter table calibration set (autovacuum_enabled = off)`.execute(db);
  expect(await state()).not.toEqual(before);
  await sql`delete from schema_migration where name like '0097%'`.execute(db);
  expect(await migrate(address)).toHaveLength(1);
  expect(await state()).toEqual(before);
  await drop();
});
