// The pool and the live connection, with a proxy that goes wrong between them and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { openLiveUpdates, type LiveEvent } from '#app/platform/live/live-updates.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { startFaultProxy, type FaultProxy } from '#test/fault-proxy.ts';

const PATIENCE = { statementMs: 600, silenceMs: 1000 };

let direct: TestDatabase;
let proxy: FaultProxy;
let db: Db;
beforeEach(async () => {
  direct = await createTestDatabase();
  const cluster = inject('cluster');
  proxy = await startFaultProxy({ path: `${cluster.host}/.s.PGSQL.${cluster.port}` });
  db = openDatabase(through(), { max: 2, patience: PATIENCE }).db;
});
afterEach(async () => {
  await proxy.close();
  await db.destroy();
  await direct.drop();
});

const through = () => ({ ...inject('cluster'), ...direct.address, host: '127.0.0.1', port: proxy.port });
const ask = (on: Db = db) => sql`select 1`.execute(on);

test('a connection that falls silent in a query is given up, and the next query gets another', async () => {
  await ask();
  await proxy.set({ kind: 'silence' });
  await expect(ask()).rejects.toThrow('Query read timeout');
  await proxy.set({ kind: 'none' });
  await ask();
  expect(proxy.made()).toBe(2);
});

test('one that falls silent within a transaction keeps nobody waiting for its rollback, and leaves nothing', async () => {
  const ended: string[] = [];
  const failing = async (name: string, work: Promise<unknown>) => {
    await expect(work).rejects.toThrow('Query read timeout');
    ended.push(name);
  };
  const silent = Promise.withResolvers<void>();
  const first = failing(
    'the transaction',
    db.transaction().execute(async (tx) => {
      await findOrAddActor(tx, { name: 'half', email: 'half@site.example' });
      await ask();
      await proxy.set({ kind: 'silence' });
      silent.resolve();
      await ask(tx);
    }),
  );
  await silent.promise;
  await setTimeout(PATIENCE.silenceMs / 2);
  await Promise.all([first, failing('a query after it', ask())]);
  expect(ended).toEqual(['the transaction', 'a query after it']);
  await proxy.set({ kind: 'none' });
  await ask();
  expect(await direct.db.selectFrom('actor').select('name').execute()).toEqual([]);
});

test('a statement that never ends is ended, and so is a transaction that rests with its locks', async () => {
  await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('statement timeout');
  const tryLock = async () =>
    (await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(1) as free`.execute(direct.db)).rows[0]?.free;
  await expect(
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(tx);
      expect(await tryLock()).toBe(false);
      // As after a cut: the process is there no more, and nobody told the database.
      await expect.poll(tryLock, { timeout: 10_000 }).toBe(true);
      await ask(tx);
    }),
  ).rejects.toThrow();
  await ask();
});

test.each(['refuse', 'reset'] as const)(
  'a database that does %s is asked again as soon as it is back',
  async (kind) => {
    await ask();
    await proxy.set({ kind });
    await expect(ask()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    await proxy.set({ kind: 'none' });
    await ask();
  },
);

test('a long answer that is cut in the middle is no answer', async () => {
  await proxy.set({ kind: 'cut', afterBytes: 50_000 });
  await expect(sql`select repeat('x', 200000) as long`.execute(db)).rejects.toThrow('ECONNRESET');
  await proxy.set({ kind: 'none' });
  await ask();
});

test('an answer to a commit that is lost: the write is found, told as done, and done once', async () => {
  const { id: personId } = await direct.db
    .insertInto('person')
    .values({ email: 'j@site.example' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ask();
  await proxy.set({ kind: 'lose-answer', to: 'commit' });
  const names = () => direct.db.selectFrom('actor').select('name').execute();
  const write = (name: string) =>
    idempotent(db, { who: { personId }, kind: 'actor.added', key: randomUUID(), values: {} }, async (tx) => {
      await findOrAddActor(tx, { name, email: `${name}@site.example` });
      return { name };
    });
  expect(await write('kept')).toEqual({ name: 'kept' });
  expect(await names()).toEqual([{ name: 'kept' }]);
  // Lost before the commit is nothing to find out about.
  await proxy.set({ kind: 'lose-answer', to: 'insert into "actor"' });
  await expect(write('lost')).rejects.toThrow();
  expect(await names()).toEqual([{ name: 'kept' }]);
});

test('a slow network is no fault: a long answer comes whole', async () => {
  await proxy.set({ kind: 'slow', latencyMs: 100, bytesPerSecond: 400_000 });
  const { rows } = await sql<{ long: string }>`select repeat('x', 100000) as long`.execute(db);
  expect(rows[0]?.long.length).toBe(100_000);
});

test.each(['silence', 'reset', 'refuse'] as const)(
  'the live connection notices %s, and pages then hear what was written meanwhile',
  async (kind) => {
    const errors: Error[] = [];
    const live = await openLiveUpdates(direct.db, through(), {
      onError: (error) => errors.push(error),
      heartbeatMs: 300,
    });
    try {
      const heard: LiveEvent[] = [];
      await live.subscribe(['vehicles'], undefined, (event) => heard.push(event));
      await writeActivity('before');
      await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
      await proxy.set({ kind });
      await expect.poll(() => errors.length, { timeout: 10_000 }).toBeGreaterThan(0);
      await writeActivity('while away');
      expect(heard).toHaveLength(1);
      await proxy.set({ kind: 'none' });
      await expect.poll(() => heard.map(({ index }) => index), { timeout: 10_000 }).toEqual([0, 1]);
      await writeActivity('after');
      await expect.poll(() => heard.map(({ index }) => index), { timeout: 10_000 }).toEqual([0, 1, 2]);
    } finally {
      await live.close();
    }
  },
);

function writeActivity(details: string): Promise<unknown> {
  return direct.db.transaction().execute(async (tx) => {
    const actorId = await findOrAddActor(tx, { name: 'J. Nguyen', email: 'j@site.example' });
    await appendActivities(tx, [{ kind: 'vehicle.updated', actorId, subject: 'vehicle', subjectId: 'A1', details }]);
  });
}
