// What is handed to operators speaks of things that exist: a renamed metric would leave an alert that never rings.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  measureDisk,
  measurePools,
  measureProcess,
  measureResponseCache,
} from '#app/platform/process/metrics.server.ts';
import { metricsApp, READ } from '#server/metrics.ts';
import pg from 'pg';
import { SERVER_ENV, SERVER_FLAGS } from '../scripts/server-flags.mjs';
import { createTestServices, type TestServices } from './services.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');
const ANYWHERE = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

let services: TestServices;
let given: Set<string>;
beforeAll(async () => {
  services = await createTestServices();
  measureProcess(services.metrics);
  measureDisk(services.metrics, services.config.dataDir);
  measurePools(services.metrics, { main: new pg.Pool() });
  measureResponseCache(services.metrics, () => ({ responses: 0, bytes: 0 }));
  const app = new Hono().route('/', metricsApp(services));
  const text = await (await app.request('/metrics', {}, ANYWHERE)).text();
  given = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  // Some are there only where something is set up.
  for (const name of Object.keys(READ)) given.add(name);
});
afterAll(() => services.stop());

const metricsIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:registry|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name));
const isGiven = (name: string) => given.has(name) || given.has(name.replace(/_(bucket|sum|count)$/, ''));

test.each([
  'deploy/grafana-dashboard.json',
  'deploy/prometheus-alerts.yml',
  'deploy/prometheus-alerts-test.yml',
  'docs/operations/watch.md',
])('%s names only metrics that there are', async (file) => {
  const named = metricsIn(await read(file));
  expect(named.size).toBeGreaterThan(4);
  expect([...named].filter((name) => !isGiven(name))).toEqual([]);
});

test.each(['Dockerfile', 'deploy/truck-scale-registry.service'])(
  '%s starts the server as npm start does',
  async (file) => {
    const text = (await read(file)).replaceAll('", "', ' ');
    expect(text).toContain(`node ${SERVER_FLAGS.join(' ')} server/index.ts`);
    for (const [name, value] of Object.entries(SERVER_ENV)) expect(text).toContain(`${name}=${value}`);
  },
);

test('each metric of ours is explained', async () => {
  const explained = metricsIn(await read('docs/operations/watch.md'));
  expect([...given].filter((name) => name.startsWith('registry_') && !explained.has(name))).toEqual([]);
});

test('each alert has its severity, and its remedy where it says', async () => {
  const rules = (await read('deploy/prometheus-alerts.yml')).split('- alert: ').slice(1);
  const remedies = (await read('docs/operations/watch.md')).match(/^### .*$/gm);
  expect(rules.length).toBeGreaterThan(10);
  expect(remedies).toEqual(rules.map((rule) => `### ${rule.split('\n')[0]}`));
  for (const rule of rules) {
    const name = rule.split('\n')[0] ?? '';
    expect(rule).toContain(`runbook: docs/operations/watch.md#${name.toLowerCase()}\n`);
    expect(rule).toMatch(/labels: \{ severity: (page|ticket) \}/);
  }
});

test('each panel of the dashboard asks for something, within the job', async () => {
  const { panels }: { panels: { title: string; type: string; targets?: { expr: string }[] }[] } = JSON.parse(
    await read('deploy/grafana-dashboard.json'),
  );
  for (const { type, title, targets = [] } of panels.filter((panel) => panel.type !== 'row')) {
    expect([title, type, targets.length > 0]).toEqual([title, expect.stringMatching(/^(stat|timeseries)$/), true]);
    for (const { expr } of targets) expect(expr).toContain('job="truck-scale-registry"');
  }
});

test('the image is made of what it needs and no more', async () => {
  const copied = [...(await read('Dockerfile')).matchAll(/^COPY (?!--from)(?!\.)(.+) \S+$/gm)].flatMap(
    ([, what = '']) => what.split(' '),
  );
  const offered = new Set([...(await read('.dockerignore')).matchAll(/^!(.+)$/gm)].map(([, what]) => what));
  expect(copied.filter((what) => !offered.has(what))).toEqual([]);
  for (const secret of ['data', 'deploy', 'deploy/secrets', '.env', '.git', '.npmrc'])
    expect(offered).not.toContain(secret);
});

test.each(['README.md', 'docs/operations.md'])('%s names the log before anything is imported', async (file) => {
  const steps = (await read(file)).split('\n');
  const named = steps.findIndex((step) => step.startsWith('export PUBLIC_URL=https://'));
  const imported = steps.findIndex((step) => step.startsWith('npm run import '));
  expect([named >= 0, imported > named]).toEqual([true, true]);
});
