// Who did what is provable too: whatever somebody with the database's own password does to the activity log is found,
// of entries from before the chain and of later ones; an erasing breaks nothing.
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { erasePerson } from '#app/people/erase-person.server.ts';
import { applyWithin, createRecord, migrate, readMigrations } from '#database/migrate.ts';
import { dropChecks, otherValue, storedColumns } from '#test/altered-column.ts';
import { enterAsOwner, type DatabaseOwner } from '#test/database-owner.ts';
import { createEmptyDatabase, type TestDatabase } from '#test/database.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { actingAs, addPerson, type Person } from '#test/people.ts';
import { logActivityHead } from './log-activity-head.server.ts';
import { verifyActivities } from './verify-activities.server.ts';

const CHAIN = '0057_activity_chain.sql';
let database: TestDatabase;
let owner: DatabaseOwner;
let mia: Person;
const OF_CHAIN = ['size', 'chain_from', 'chain_start', 'head'];
const ofActivities = async () => {
  const found: string[] = [];
  await database.db.transaction().execute((tx) => verifyActivities(tx, (finding) => found.push(finding), []));
  return found;
};
const findings = () => differencesFromLog(database.db);

// Five entries of a registry from before the chain: without a person, with one, with words about one, erased.
const BEFORE = `
  with p as (insert into person (email) values ('sam@x.example'), ('ann@x.example') returning id, email)
    insert into actor (person_id, name, email) select id, 'Sam Lee', email from p;
  insert into admin (person_id, email, name) select id, email, 'Sam Lee' from person;
  select append_activity(jsonb_build_array(
    '{"kind":"vehicle.added","subject":"vehicle","details":"OLD1","topics":["vehicle:OLD1","logs"],"rego":"OLD1"}'::jsonb,
    jsonb_build_object('kind', 'admin.updated', 'actor_id', (select min(id) from actor), 'subject', 'admin', 'subject_id',
      (select id from admin where email = 'sam@x.example'), 'details', 'sam@x.example updated',
      'changes', '[{"field":"phone","from":"1","to":"2"}]'::jsonb),
    jsonb_build_object('kind', 'profile.updated', 'actor_id', (select max(id) from actor)),
    '{"kind":"record.changed","details":"sam@x.example stands in the export"}'::jsonb,
    '{"kind":"record.changed","details":"pat@x.example stands there too"}'::jsonb));
  update activity_detail set action = '', details = '', changes = null, erased_at = now() where index = 4`;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const { db, address } = database;
  const client = new pg.Client(address);
  await client.connect();
  await createRecord(client);
  for (const migration of await readMigrations()) if (migration.name < CHAIN) await applyWithin(client, migration);
  await client.query(BEFORE);
  await client.end();
  await migrate(address);
  await sql`alter table staff disable trigger admin_has_leaf`.execute(db);
  mia = await addPerson(db, 'admin', 'mia@registry.example', { name: 'Mia' });
  await logActivityHead(db);
  await write([{ kind: 'vehicle.updated', details: 'OLD1', changes: [{ field: 'make', from: null, to: 'Volvo' }] }]);
  await write([{ kind: 'profile.updated', action: 'Profile updated' }, { kind: 'password.set' }]);
  await logActivityHead(db);
  await write([
    { kind: 'list.followed', details: 'Since the last head', occurredAt: new Date('2020-02-02T02:02:02.002Z') },
  ]);
  owner = await enterAsOwner(address, ['activity_log', 'activity_detail', 'activity_state', 'actor']);
}, 60_000);
afterAll(async () => {
  await owner.leave();
  await database.drop();
});

const write = (entries: readonly Omit<ActivityEntry, 'actorId'>[]): Promise<number> =>
  database.db.transaction().execute(async (tx) => {
    const actorId = await findOrAddActor(tx, { name: 'Sam Lee', email: 'sam@x.example' });
    return appendActivities(
      tx,
      entries.map((entry) => ({ ...entry, actorId })),
    );
  });

test('a registry that was upgraded has nothing to find; its two heads are in the public log', async () => {
  expect(await findings()).toEqual([]);
  const { rows } = await sql<{ says: string }>`select concat_ws(' ', entry::jsonb -> 'body' ->> 'activities',
    entry::jsonb -> 'body' ->> 'activityHead' = encode(a.last, 'base64')) as says
    from log_leaf left join (select index + 1 as n, hash as last from activity_log) a
      on n = (entry::jsonb -> 'body' ->> 'activities')::int
    where entry like '%"activity.head"%' order by log_leaf.index`.execute(database.db);
  expect(rows.map(({ says }) => says)).toEqual(['5', '8 t']);
});

test('each column of each entry, of its words, its actor and of the chain, altered alone, is found', async () => {
  const { db } = database;
  const missed: string[] = [];
  await owner.query('alter table actor alter column id drop identity');
  for (const [table, key, rows] of [
    ['activity_log', 'index', ['0', '1', '6']],
    ['activity_detail', 'index', ['0', '1', '5']],
    ['actor', 'name', ['Sam Lee']],
    ['activity_state', 'only_row', ['true']],
  ] as const) {
    await owner.query(dropChecks(table));
    for (const column of await storedColumns(db, [table])) {
      const { columnName: name, dataType } = column;
      if (table === 'activity_state' && !OF_CHAIN.includes(name)) continue;
      // Of an entry from before the chain the row itself is held against it, and nothing opens a commitment.
      const ofOlder = name !== 'hash' && name !== 'salt';
      const other =
        name === 'topics'
          ? `topics || '{vehicle:X}'`
          : dataType === 'bytea'
            ? `coalesce(${name}, 'x') || 'x'`
            : otherValue(column);
      for (const row of rows.filter((one) => ofOlder || Number(one) > 4 || table === 'actor')) {
        const statement = `update ${table} set ${name} = ${other} where ${key}::text = '${row}'`;
        if ((await owner.whenDone(statement, ofActivities)).length === 0) missed.push(statement);
      }
    }
  }
  expect(missed).toEqual([]);
}, 60_000);

// Each hash after an entry worked out again, as `append_activity` would have.
const REWRITTEN = `do $$ declare e record; link bytea; begin
  select chain_start into link from activity_state;
  for e in select l.*, a.commitment as actor, d.commitment as words from activity_log l left join actor a on a.id = l.actor_id
    left join activity_detail d using (index) where l.index >= (select chain_from from activity_state) order by l.index loop
    link := sha256(link || convert_to(json_build_array(e.index, extract(epoch from e.at), extract(epoch from e.occurred_at),
      e.kind, e.origin, e.actor_id, encode(e.actor, 'hex'), e.subject, e.subject_id, e.rego, e.topics, encode(e.words, 'hex'))::text, 'UTF8'));
    update activity_log set hash = link where index = e.index;
  end loop;
  update activity_state set head = link; end $$`;

test.each([
  [`delete from activity_log where index = 0`, 'from before the chain'],
  [`delete from activity_log where index = 5`, 'does not follow'],
  [`delete from activity_log where index = 8`, 'The last hash'],
  [`delete from activity_detail where index = 0`, 'from before the chain'],
  [`delete from activity_detail where index = 5`, 'Activity 5 was changed'],
  [`insert into activity_detail (index, details) values (7, 'Another word')`, 'Activity 7 was changed'],
  [
    `insert into activity_log select 9, at, occurred_at, kind, origin, actor_id, subject, subject_id, topics, rego, hash
      from activity_log where index = 8`,
    'Activity 9 does not follow',
  ],
  [
    `update activity_detail set action = '', details = '', changes = null, salt = null, erased_at = now() where index = 5`,
    'its words were erased, and no activity says so',
  ],
  [
    `update activity_detail set action = '', details = '', changes = null, salt = null, erased_at = now() where index = 1`,
    'its words were erased, and no activity says so',
  ],
  [
    `update activity_detail set action = '', details = '', changes = null, erased_at = now() where index = 0`,
    'from before the chain',
  ],
  [
    `update actor set name = 'Erased person', email = '', salt = null, erased_at = now()`,
    'was erased, and no activity says so',
  ],
])('%s: found', async (statement, what) => {
  expect((await owner.whenDone(statement, findings)).join('\n')).toContain(what);
});

test('a chain that was made again, whole and without the last entries, is not that of the public log', async () => {
  const rewritten = async (statement: string) =>
    owner.whenDone(statement, async () => {
      await owner.query(REWRITTEN);
      return findings();
    });
  const found = [expect.stringMatching(/^The first 8 activities are not those of entry \d+ of the log/)];
  expect(await rewritten(`update activity_log set kind = 'password.reset' where index = 7`)).toEqual(found);
  expect(await rewritten(`update activity_log set actor_id = (select max(id) from actor) where index = 6`)).toEqual(
    found,
  );
  const shorter = 'delete from activity_log where index >= 7';
  expect(
    await owner.whenDone(shorter, async () => {
      await owner.query('update activity_state set size = 7');
      await owner.query(REWRITTEN);
      return findings();
    }),
  ).toEqual(found);
});

test('an erased person leaves a whole chain, of entries from before it too, and no salt that opens anything', async () => {
  const { db } = database;
  await sql`update admin set deleted_at = now() where person_id <> ${mia.personId}`.execute(db);
  const size = (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
  const { id } = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', 'sam@x.example')
    .executeTakeFirstOrThrow();
  expect(await erasePerson({ db }, actingAs(mia), { personId: id, reason: 'Asked for it.' })).toMatchObject({
    erased: true,
  });
  const open = await sql`select 1 from actor where person_id = ${id} and salt is not null
    union all select 1 from activity_detail where erased_at is not null and salt is not null`.execute(db);
  expect(open.rows).toEqual([]);
  const said = await db.selectFrom('activityDetail').selectAll().where('index', '=', size).executeTakeFirstOrThrow();
  expect(said.changes).toEqual([{ field: 'erased_entries', from: null, to: '1 3' }]);
  // Sam was removed without an entry here.
  expect((await findings()).filter((finding) => !finding.startsWith('admin '))).toEqual([]);
});
