// Operators read how many requests failed: who leaves before the answer is not one of them.
import { sql } from 'kysely';
import { parseMetrics } from '#test/metrics-text.ts';
import { expect, test } from './registry.ts';

test('anybody who leaves before the page is there has not met a failure', async ({ registry }) => {
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
