// Leaves as they are appended: bytes, hashes, chains and frontier against the pure functions, races, immutability.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { appendLeaves } from './append-leaves.server.ts';
import { subjectOf, type LeafEvent } from './draft-leaf.server.ts';
import { utf8, formatBase64 } from '#app/tlog/bytes.ts';
import { commit } from '#app/tlog/commitment.ts';
import { formatLeaf, openableFields, parseLeaf } from '#app/tlog/leaf.ts';
import { LeafRules, NO_LEAVES } from '#app/tlog/leaf-rules.ts';
import { appendLeaf, EMPTY_FRONTIER, leafHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';

let database: TestDatabase;
const vehicles: { id: string; rego: string }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (let index = 0; index < 16; index += 1)
    vehicles.push(
      await database.db
        .insertInto('vehicle')
        .values({ rego: `LEAF${index}`, notes: `Line one\nline “two” \u2028 \u007f 🚚 ${index}` })
        .returning(['id', 'rego'])
        .executeTakeFirstOrThrow(),
    );
});
afterAll(() => database.drop());

const registered = (vehicle: { id: string; rego: string } | undefined): LeafEvent => {
  if (vehicle === undefined) throw new Error('no vehicle');
  return {
    type: 'vehicle.registered',
    body: { validated: false },
    vehicle,
    people: { actor: 'Mia “K.” Kowalski\n' },
    records: [{ table: 'vehicle', key: vehicle.id }],
  };
};

async function expectWholeLog() {
  const { db } = database;
  const leaves = await db.selectFrom('logLeaf').selectAll().orderBy('index').execute();
  const rules = new LeafRules(NO_LEAVES);
  let frontier = EMPTY_FRONTIER;
  for (const [place, { index, entry, hash }] of leaves.entries()) {
    expect(index).toBe(place);
    const bytes = utf8(entry);
    expect(formatLeaf(parseLeaf(bytes))).toEqual(bytes);
    const expected = await leafHash(nodeSha256, bytes);
    expect(formatBase64(Uint8Array.from(hash))).toBe(formatBase64(expected));
    rules.add(bytes, expected);
    frontier = await appendLeaf(nodeSha256, frontier, expected);
  }
  const state = await db.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  expect(state.leafSize).toBe(leaves.length);
  expect(state.leafFrontier.map((node) => node.toString('hex'))).toEqual(
    frontier.hashes.map((node) => Buffer.from(node).toString('hex')),
  );
  expect((await rootOf(nodeSha256, frontier)).length).toBe(32);
  return leaves;
}

test('a leaf’s bytes are canonical, its commitments open to the records as they are stored', async () => {
  const { db } = database;
  const [vehicle] = vehicles;
  const index = await db.transaction().execute((tx) => appendLeaves(tx, [registered(vehicle)]));
  const { entry } = await db.selectFrom('logLeaf').select('entry').where('index', '=', index).executeTakeFirstOrThrow();
  const leaf = parseLeaf(utf8(entry));
  expect(leaf).toMatchObject({ type: 'vehicle.registered', origin: 'recorded', subjectSeq: 1 });
  expect(entry).not.toContain('LEAF0');
  expect(entry).not.toContain('Kowalski');
  const openings = await db.selectFrom('leafOpening').selectAll().where('leafIndex', '=', index).execute();
  const fields = openableFields(leaf);
  for (const { field, salt, value } of openings)
    expect(await commit(nodeSha256, field, { salt: salt ?? '', value })).toBe(fields.get(field));
  expect(openings.map(({ field }) => field).toSorted()).toEqual(['people.actor', 'rest']);
  const chain = await db
    .selectFrom('logChain')
    .selectAll()
    .where('vehicleId', '=', vehicle?.id ?? '')
    .executeTakeFirstOrThrow();
  expect(await commit(nodeSha256, 'subject', { salt: chain.salt, value: vehicle && subjectOf(vehicle) })).toBe(
    leaf.subject,
  );
});

const PATIENT = { statementMs: 60_000, silenceMs: 60_000, connectMs: 60_000 };

test('600 concurrent appends of 16 vehicles, a third rolled back: no gap, whole chains, the frontier is that of the tree', async () => {
  // All at once wait for ten connections: for as long as it takes.
  const { db } = openDatabase(database.address, { patience: PATIENT });
  await Promise.all(
    Array.from({ length: 600 }, (_, nth) =>
      db
        .transaction()
        .execute(async (tx) => {
          const vehicle = vehicles[nth % 16];
          await appendLeaves(
            tx,
            nth % 7 === 0 ? [registered(vehicle), registered(vehicles[(nth + 3) % 16])] : [registered(vehicle)],
          );
          if (nth % 3 === 0) throw new Error('rolled back');
        })
        .catch((error: unknown) => {
          if (nth % 3 !== 0) throw error;
        }),
    ),
  );
  await db.destroy();
  expect((await expectWholeLog()).length).toBeGreaterThan(400);
}, 60_000);

test('what is in the log is neither changed, removed nor truncated; an opening is erased, once, and nothing else', async () => {
  const { db } = database;
  for (const statement of [
    `update log_leaf set entry = '{}'`,
    'delete from log_leaf',
    'truncate log_leaf cascade',
    `update record_leaf set record_key = 'x'`,
    'delete from record_leaf',
    'truncate record_leaf',
    'delete from leaf_opening',
    'truncate leaf_opening',
    `update leaf_opening set value = '"other"'`,
    `update leaf_opening set erased_at = now()`,
    `update leaf_opening set salt = null, value = null, erased_at = now(), field = 'x'`,
  ])
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(/never change|refused|violates/);
  const erase = sql.raw(
    `update leaf_opening set salt = null, value = null, erased_at = now() where field = 'people.actor' and leaf_index = 0`,
  );
  await erase.execute(db);
  await expect(erase.execute(db)).rejects.toThrow(/never changes/);
});

test('nothing stands beside a leaf that is not there', async () => {
  const { db } = database;
  for (const statement of [
    `insert into record_leaf (leaf_index, record_table, record_key) values (0, 'vehicle', 'x'), (900000, 'vehicle', 'x')`,
    `insert into leaf_opening (leaf_index, field, salt, value) values (900000, 'rest', 'AAAA', '{}')`,
  ])
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(/is of no leaf/);
});

test('no record without a leaf: the commit is refused', async () => {
  const { db } = database;
  await sql`alter table vehicle enable trigger vehicle_has_leaf`.execute(db);
  await expect(db.insertInto('vehicle').values({ rego: 'NOLEAF' }).execute()).rejects.toThrow(/has no leaf/);
  await db.transaction().execute(async (tx) => {
    const vehicle = await tx
      .insertInto('vehicle')
      .values({ rego: 'WITHLEAF' })
      .returning(['id', 'rego'])
      .executeTakeFirstOrThrow();
    await appendLeaves(tx, [registered(vehicle)]);
  });
});
