import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { electLeader, type Job } from './leader-election.server.ts';

const log = createLogger({ logLevel: 'silent' });
const WITHIN = { timeout: 10_000, interval: 10 };

let database: TestDatabase;
let doing: string[];
let begun: number;
let atOnce: number;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  doing = [];
  begun = 0;
  atOnce = 0;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.drop();
});

const jobOf =
  (node: string): Job =>
  async () => {
    doing.push(node);
    begun += 1;
    atOnce = Math.max(atOnce, doing.length);
    return async () => void doing.splice(doing.indexOf(node), 1);
  };
const node = (name: string, jobs: readonly Job[] = [jobOf(name)]) => {
  const stop = electLeader({ address: database.address, log }, jobs);
  stops.push(stop);
  return stop;
};
const holder = async () => {
  const { rows } = await database.pool.query<{ pid: number }>(
    "select l.pid from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
};

test('of three nodes one does the jobs, and another when it stops', async () => {
  const nodes = new Map(['a', 'b', 'c'].map((name) => [name, node(name)]));
  for (let left = 3; left > 0; left -= 1) {
    await vi.waitUntil(() => doing.length > 0, WITHIN);
    const [first = ''] = doing;
    await nodes.get(first)?.();
    expect(doing).not.toContain(first);
    nodes.delete(first);
  }
  expect(atOnce).toBe(1);
});

test('one whose connection is cut stops before it, or another, begins again', async () => {
  node('a');
  node('b');
  await vi.waitUntil(() => begun === 1, WITHIN);
  for (let cut = 1; cut <= 5; cut += 1) {
    const [pid] = await holder();
    await database.pool.query('select pg_terminate_backend($1)', [pid]);
    await vi.waitUntil(() => begun === cut + 1, WITHIN);
  }
  expect(atOnce).toBe(1);
});

test('the lease is lost the moment its connection is cut', async () => {
  let isLost = () => true;
  node('a', [
    async (lease) => {
      isLost = () => lease.isLost();
      return async () => {};
    },
  ]);
  await vi.waitUntil(() => !isLost(), WITHIN);
  const [pid] = await holder();
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await vi.waitUntil(() => isLost(), WITHIN);
});

test('a job that cannot begin gives the lease back, and those that had begun are stopped', async () => {
  let fails = true;
  let tries = 0;
  const failing: Job = async () => {
    tries += 1;
    if (fails) throw new Error('cannot begin');
    return async () => {};
  };
  node('a', [jobOf('a'), failing]);
  await vi.waitUntil(() => tries > 1, WITHIN);
  fails = false;
  await vi.waitUntil(() => tries > 2 && doing.length === 1, WITHIN);
  expect(atOnce).toBe(1);
});

test('a database that is away is asked again until it is back', async () => {
  const admin = new pg.Client({ ...database.address, database: 'postgres' });
  await admin.connect();
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  await admin.query(`alter database ${rows[0]?.name} with allow_connections false`);
  node('a');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(doing).toEqual([]);
  await admin.query(`alter database ${rows[0]?.name} with allow_connections true`);
  await vi.waitUntil(() => doing.length === 1, WITHIN);
  await admin.end();
});
