// A node that reads public pages from a streaming replica, which lags on purpose, and is killed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addPerson, cookieOf, PASSWORD } from '#test/people.ts';
import { startRegistry, type StartedNode, type StartedRegistry } from '#test/start-registry.ts';
import { startStandby, type Standby } from '#test/standby.ts';

const SOON = { timeout: 15_000, interval: 50 };
const PAGE = '/vehicles/view/XV04KL';

let registry: StartedRegistry;
let standby: Standby;
let node: StartedNode;
let cookie: string;
beforeAll(async () => {
  registry = await startRegistry();
  standby = await startStandby(registry.dataDir, registry.address);
  node = await registry.addNode({ DATABASE_READ_URL: standby.url });
  const { email } = await addPerson(registry.db, 'admin', 'writes@registry.example');
  const answer = await fetch(`${registry.url}/login`, {
    method: 'POST',
    headers: { origin: registry.url },
    body: new URLSearchParams({ email, password: PASSWORD }),
    redirect: 'manual',
  });
  cookie = cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
}, 120_000);
afterAll(async () => {
  await standby.signal('SIGQUIT').catch(() => undefined);
  await registry.stop();
});

async function decide(validated: 'yes' | 'no'): Promise<void> {
  const answer = await fetch(`${registry.url}/vehicles/validate/XV04KL`, {
    method: 'POST',
    headers: { origin: registry.url, cookie },
    body: new URLSearchParams({ validated, reason: 'a test' }),
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
}

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${node.url}${path}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.text()).includes('Not validated') ? 'no' : 'yes';
};

/** How many rows of vehicles the replica has given out. */
const readsOfReplica = async () => {
  const [row] = await standby.query(
    "select coalesce(idx_scan, 0)::int + seq_scan::int as n from pg_stat_user_tables where relname = 'vehicle'",
  );
  return typeof row === 'object' && row !== null && 'n' in row ? Number(row.n) : 0;
};
// PostgreSQL tells of what a connection read once that has rested for ten seconds, or with what it reads after a
// second.
const ALL_COUNTED_MS = 11_000;
let asked = 0;
/** Whether pages read now come from the replica. Not to be asked before all that was read there is counted. */
async function comesFromReplica(): Promise<boolean> {
  const before = await readsOfReplica();
  // Each under an address of its own: what was read is kept, and not read again.
  for (let page = 0; page < 20; page += 1) await read(`${PAGE}?image=${(asked += 1)}`);
  for (let waited = 0; waited < 30; waited += 1) {
    if ((await readsOfReplica()) >= before + 20) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

test('public pages come from the replica, and what a page asks for after a change is never older', async () => {
  await vi.waitUntil(comesFromReplica, SOON);
  for (const validated of ['no', 'yes', 'no', 'yes', 'no', 'yes', 'no', 'yes'] as const) {
    await decide(validated);
    expect(await read(`${PAGE}.data`)).toBe(validated);
    expect(await read(PAGE, { cookie })).toBe(validated);
  }
});

test('one that lags is not read from until it has caught up', async () => {
  await new Promise((resolve) => setTimeout(resolve, ALL_COUNTED_MS));
  await standby.query('select pg_wal_replay_pause()');
  await decide('no');
  expect(await read(`${PAGE}.data`)).toBe('no');
  expect(await read(PAGE, { cookie })).toBe('no');
  // The node is told of the change within a moment, and has it from then on.
  await vi.waitUntil(async () => (await read(PAGE)) === 'no', SOON);
  for (let page = 0; page < 20; page += 1) expect(await read(PAGE)).toBe('no');
  const api = await fetch(`${node.url}/api/v1/vehicles/XV04KL`);
  expect(await api.json()).toMatchObject({ verdict: 'not-validated' });
  expect(await comesFromReplica()).toBe(false);
  await standby.query('select pg_wal_replay_resume()');
  await decide('yes');
  await vi.waitUntil(comesFromReplica, SOON);
  expect(await read(PAGE)).toBe('yes');
}, 60_000);

test('killed, nobody notices', async () => {
  const reading = (async () => {
    for (let page = 0; page < 100; page += 1) expect(await read(PAGE)).toBe('yes');
  })();
  await standby.signal('SIGQUIT');
  await reading;
}, 60_000);
