import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { logFilter } from './log-filter.server.ts';
import { listActivities } from './list-activities.server.ts';
import { parseLogQuery } from './log-query.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Appends an entry with the given JSON, as a node of an older or newer version does. */
async function append(entry: object): Promise<number | undefined> {
  const { rows } = await sql<{
    index: number;
  }>`select append_activity(${JSON.stringify([{ kind: 'vehicle.updated', ...entry }])}::jsonb) as index`.execute(
    database.db,
  );
  return rows[0]?.index;
}

async function whereOf(record: string) {
  const filter = await logFilter(database.db, parseLogQuery(new URLSearchParams({ record })), 'Australia/Sydney');
  if (!filter.ok || filter.where === undefined) throw new Error(`no filter of ${record}`);
  return filter.where;
}

const found = async (record: string) =>
  (await listActivities(database.db, await whereOf(record), 1)).items.map(({ index, rego }) => ({ index, rego }));

test('a rego finds what concerns it, whatever the topics', async () => {
  const index = await append({ rego: 'OWN1', topics: ['logs'] });
  await append({ rego: '', topics: ['vehicle:OWN1'] });
  await append({ rego: 'OTHER1', topics: ['vehicle:OWN1', 'logs'] });
  expect(await found('OWN1')).toEqual([{ index, rego: 'OWN1' }]);
});

test('a rego finds entries from before, and those of an older version, by their topics', async () => {
  const index = await append({ topics: ['vehicles', 'vehicle:OLD1', 'logs'] });
  await append({ topics: ['logs'] });
  expect(await found('OLD1')).toEqual([{ index, rego: 'OLD1' }]);
});

test('an entry that concerns no vehicle says so', async () => {
  const index = await database.db
    .transaction()
    .execute((tx) => appendActivities(tx, [{ kind: 'admin.added', actorId: null }]));
  const { rego } = await database.db
    .selectFrom('activityLog')
    .select('rego')
    .where('index', '=', index)
    .executeTakeFirstOrThrow();
  expect(rego).toBe('');
});

test('the entries of a rego are found in an index, among many', async () => {
  await sql`select append_activity(jsonb_agg(jsonb_build_object(
      'kind', 'vehicle.updated', 'rego', 'MANY' || n % 2000, 'topics', array['logs'])))
    from generate_series(1, 10000) n`.execute(database.db);
  await sql`analyze activity_log`.execute(database.db);
  const where = await whereOf('MANY7');
  for (const asked of [sql`select count(*) from activity_log where ${where}`, latestOf(where)]) {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${asked}`.execute(database.db.withoutPlugins());
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/activity_log_vehicle.*\n\s*Index Cond/);
    expect(plan).toMatch(/activity_log_pkey.*\n(.*\n)?\s*Index Cond/);
    expect(plan).not.toContain('activity_log_time');
  }
});

const latestOf = (where: Awaited<ReturnType<typeof whereOf>>) =>
  sql`select index from activity_log where ${where} order by occurred_at desc, index desc limit 20`;
