// Operators read the registry's metrics, a smaller set while the database is away.
import { sql } from 'kysely';
import { parseMetrics } from '#test/metrics-text.ts';
import { expect, test } from './registry.ts';

const KINDS = ['/vehicles/view/', '/api/v1/vehicles/', '/files/images/', '/log/1/', '/assets/', '/reset/', '/', '/x/'];

test('requests are counted by the pattern of what answers, whatever addresses are asked for', async ({ registry }) => {
  const metrics = async () => parseMetrics(await (await fetch(`${registry.url}/metrics`)).text());
  const ask = async (address: string) => void (await (await fetch(`${registry.url}${address}`)).arrayBuffer());
  const askAll = async (word: string) => {
    for (const kind of KINDS) {
      await ask(`${kind}${word}`);
      await ask(`${kind}${word}.data?q=${word}`);
    }
  };
  const series = async () => [...(await metrics()).keys()].filter((name) => name.includes('route='));
  await askAll('NOPE');
  await metrics();
  const before = await series();
  expect(before).toContain('registry_http_requests_total{method="GET",route="/vehicles/view/:rego",status="404"}');
  expect(before.join('\n')).not.toContain('NOPE');
  for (let index = 0; index < 65; index += 1) await askAll(`N${Math.random().toString(36).slice(2).toUpperCase()}`);
  expect((await series()).filter((name) => !before.includes(name))).toEqual([]);
});

test('while the database is away the metrics say so, and leave out what only it knows', async ({ registry }) => {
  const metrics = async () => parseMetrics(await (await fetch(`${registry.url}/metrics`)).text());
  const well = await metrics();
  expect([well.get('registry_database_up'), well.has('registry_mail_waiting')]).toEqual([1, true]);
  await registry.cutDatabase();
  try {
    const away = await metrics();
    expect([away.get('registry_database_up'), away.has('registry_mail_waiting')]).toEqual([0, false]);
    expect(away.has('registry_log_signed_entries')).toBe(true);
  } finally {
    await registry.restoreDatabase();
  }
  await expect.poll(async () => (await metrics()).get('registry_database_up')).toBe(1);
});

test('whoever leaves before the page is there has not met a failure', async ({ registry }) => {
  const counted = async () => {
    const metrics = parseMetrics(await (await fetch(`${registry.url}/metrics`)).text());
    const of = (status: number) =>
      metrics.get(`registry_http_requests_total{method="GET",route="/vehicles/view/:rego",status="${status}"}`) ?? 0;
    return { left: of(499), failed: of(500) };
  };
  const before = await counted();
  await registry.db.transaction().execute(async (tx) => {
    await sql`lock table vehicle in access exclusive mode`.execute(tx);
    const leaving = new AbortController();
    const answer = fetch(`${registry.url}/vehicles/view/LEAVES`, { signal: leaving.signal });
    const waiting = async () =>
      (await sql`select from pg_locks where not granted and relation = 'vehicle'::regclass`.execute(tx)).rows.length;
    await expect.poll(waiting).toBeGreaterThan(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
  });
  await expect.poll(counted).toEqual({ left: before.left + 1, failed: before.failed });
});
