// Whoever runs the registry reads its numbers: few of them, and also while the database is away.
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
