// Every index over the vehicles' trigrams keeps a short list of new rows: each search reads all of that list.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';

test('no search reads more than the smallest list of rows that were written lately', async () => {
  const { db, drop } = await createTestDatabase();
  const { rows } = await sql<{ name: string; options: string[] | null }>`
    select c.relname as name, c.reloptions as options from pg_class c
    join pg_index i on i.indexrelid = c.oid join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and i.indrelid = 'vehicle'::regclass`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, options } of rows) expect(options, name).toContain('gin_pending_list_limit=64');
  await drop();
});
