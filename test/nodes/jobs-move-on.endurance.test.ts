// What one node does for all of them goes on when that node is killed, and when it is paused. And it is done once.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { startRegistry, type StartedNode, type StartedRegistry } from '#test/start-registry.ts';

const TAKEN_OVER = { timeout: 10_000, interval: 20 };

let registry: StartedRegistry;
let nodes: StartedNode[];
beforeAll(async () => {
  registry = await startRegistry();
  nodes = [await registry.addNode(), await registry.addNode()];
}, 120_000);
afterAll(() => registry.stop());

/** Process ids of the one who holds the lease. */
async function holders(): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`select application_name as name
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and application_name like 'truck-scale-registry jobs %'`.execute(
    registry.db,
  );
  return rows.map(({ name }) => Number(/ (\d+)@/.exec(name)?.[1]));
}

const letters = async () => {
  const outbox = path.join(registry.dataDir, 'outbox');
  const files = (await readdir(outbox).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  return Promise.all(files.map((name) => readFile(path.join(outbox, name), 'utf8')));
};
const lettersTo = async (recipient: string) => (await letters()).filter((text) => text.includes(`To: ${recipient}`));

const signedSize = async () =>
  Number((await readFile(path.join(registry.dataDir, 'log/1/checkpoint'), 'utf8').catch(() => '')).split('\n')[1] ?? 0);
const logSize = async () =>
  (await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow()).leafSize;
const deltas = async () =>
  (await sql<{ n: number }>`select count(*) as n from vehicle_state_count where is_new`.execute(registry.db)).rows[0]
    ?.n;
const signedAll = () => vi.waitUntil(async () => (await signedSize()) === (await logSize()), TAKEN_OVER);

/** Gives every job something to do, and waits until it was done. Returns when each was, in seconds from now. */
async function everyJobIsDone(name: string): Promise<Record<string, string>> {
  const began = performance.now();
  const done: Record<string, string> = {};
  const within = async (job: string, isDone: () => Promise<boolean>) => {
    await vi.waitUntil(isDone, TAKEN_OVER);
    done[job] = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  };
  const recipient = `${name}@registry.example`;
  await queueMail(registry.db, { kind: 'application-declined', recipient, facts: { company: name } });
  await sql`insert into verification (identifier, value, expires_at) values (${name}, '', now() - interval '1 minute')`.execute(
    registry.db,
  );
  await registry.importMore({ Vehicles: { [name.toUpperCase()]: { rego: name.toUpperCase() } } });
  // The import has folded its own.
  await sql`insert into vehicle_state_count values (false, false, null, 0)`.execute(registry.db);
  const leafSize = await logSize();
  const kept = () => registry.db.selectFrom('verification').select('id').where('identifier', '=', name).execute();
  await Promise.all([
    within('mail', async () => (await lettersTo(recipient)).length === 1),
    within('log', async () => (await signedSize()) >= leafSize),
    within('counts', async () => (await deltas()) === 0),
    within('sweep', async () => (await kept()).length === 0),
  ]);
  return done;
}

test('one node holds the lease, and what is queued once is sent once', async () => {
  await vi.waitUntil(async () => (await holders()).length === 1, TAKEN_OVER);
  const recipients = Array.from({ length: 30 }, (_, number) => `many${number}@registry.example`);
  for (const recipient of recipients)
    await queueMail(registry.db, { kind: 'application-declined', recipient, facts: { company: 'Many' } });
  await vi.waitUntil(
    async () => (await registry.db.selectFrom('mail').select('id').execute()).length === 0,
    TAKEN_OVER,
  );
  for (const recipient of recipients) expect(await lettersTo(recipient)).toHaveLength(1);
});

test('killed: another does every job within 10 s', async () => {
  // The first of the three, which may have held the lease.
  await registry.killServer();
  await vi.waitUntil(async () => (await holders()).some((pid) => nodes.some((node) => node.pid === pid)), TAKEN_OVER);
  await signedAll();
  const [first] = await holders();
  const killed = nodes.find(({ pid }) => pid === first);
  await killed?.kill();
  process.stdout.write(`after kill -9: ${JSON.stringify(await everyJobIsDone('killed'))}\n`);
  expect(await holders()).toEqual(nodes.filter((node) => node !== killed).map(({ pid }) => pid));
  nodes = [...nodes.filter((node) => node !== killed), await registry.addNode()];
});

test('paused: another does every job within 10 s, and the one that wakes up does nothing of it', async () => {
  await signedAll();
  const [first] = await holders();
  const paused = nodes.find(({ pid }) => pid === first);
  paused?.signal('SIGSTOP');
  process.stdout.write(`after SIGSTOP: ${JSON.stringify(await everyJobIsDone('paused'))}\n`);
  const [second] = await holders();
  expect(second).toBe(nodes.find((node) => node !== paused)?.pid);
  paused?.signal('SIGCONT');
  for (let number = 0; number < 20; number += 1) {
    const recipient = `woken${number}@registry.example`;
    await queueMail(registry.db, { kind: 'application-declined', recipient, facts: { company: 'Woken' } });
  }
  await vi.waitUntil(
    async () => (await registry.db.selectFrom('mail').select('id').execute()).length === 0,
    TAKEN_OVER,
  );
  expect(await holders()).toEqual([second]);
  expect(new Set(await letters()).size).toBe((await letters()).length);
  for (let number = 0; number < 20; number += 1)
    expect(await lettersTo(`woken${number}@registry.example`)).toHaveLength(1);
  // It takes part again: it is the only one left.
  await nodes.find(({ pid }) => pid === second)?.kill();
  await everyJobIsDone('again');
  expect(await holders()).toEqual([first]);
});
