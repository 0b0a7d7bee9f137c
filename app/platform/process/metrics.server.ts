// What the process counts about itself, for Prometheus. Labels come from closed lists, never from a request.
import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };

/** What is counted as it happens. What is read for each request of /metrics is in server/metrics.ts. */
export type Metrics = ReturnType<typeof openMetrics>;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const FILE_OPERATIONS = ['put', 'read', 'remove', 'size', 'list'] as const;

/** Counters of their own, so that several registries in one process do not meet. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'registry_build_info',
    help: 'Always 1; says what runs',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: packageJson.version, node: process.versions.node }, 1);
  const fileErrors = new Counter({
    name: 'registry_file_store_errors_total',
    help: 'Failed operations of the file store, a file that is not there among them where it should be',
    labelNames: ['operation'],
    registers,
  });
  // Known from the start: a rate over a series that begins with its first error does not see that error.
  for (const operation of FILE_OPERATIONS) fileErrors.inc({ operation }, 0);
  return {
    registry,
    requests: new Counter({
      name: 'registry_http_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'registry_http_request_seconds',
      help: 'From the request to the head of its answer; an event stream counts when it opens',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers,
    }),
    fileErrors,
  };
}

/** Adds the figures of the process itself: processor, memory, event loop, garbage collection. Once a process. */
export function measureProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

export function measurePools({ registry }: Metrics, pools: Readonly<Record<string, pg.Pool | undefined>>): void {
  const each = (read: (pool: pg.Pool) => number) =>
    function collect(this: Gauge<'pool'>): void {
      for (const [name, pool] of Object.entries(pools)) if (pool !== undefined) this.set({ pool: name }, read(pool));
    };
  for (const [name, help, read] of [
    ['busy', 'Connections to the database that are in use', (pool) => pool.totalCount - pool.idleCount],
    ['idle', 'Connections to the database that are kept open, and free', (pool) => pool.idleCount],
    ['max', 'Connections to the database that a pool may have', (pool) => pool.options.max],
    ['waiting', 'Queries that wait for a free connection', (pool) => pool.waitingCount],
  ] satisfies [string, string, (pool: pg.Pool) => number][])
    addGauge(registry, { name: `registry_database_pool_${name}`, help, labelNames: ['pool'], collect: each(read) });
}

/** Adds the room on the disk that holds `folder`, in bytes. */
export function measureDisk({ registry }: Metrics, folder: string): void {
  addGauge(registry, {
    name: 'registry_data_disk_bytes',
    help: 'The file system of DATA_DIR: its size, and what is free for the registry',
    labelNames: ['what'],
    async collect(): Promise<void> {
      const found = await statfs(folder).catch(() => undefined);
      if (found === undefined) return this.reset();
      this.set({ what: 'size' }, found.blocks * found.bsize);
      this.set({ what: 'free' }, found.bavail * found.bsize);
    },
  });
}

/** Adds how many responses are cached, and what they take. The names are older than the word. */
export function measureResponseCache({ registry }: Metrics, size: () => { responses: number; bytes: number }): void {
  for (const [name, help, read] of [
    ['registry_kept_answers', 'Responses in the cache of public pages and JSON', () => size().responses],
    ['registry_kept_bytes', 'The memory that they take', () => size().bytes],
  ] satisfies [string, string, () => number][])
    addGauge(registry, {
      name,
      help,
      collect() {
        this.set(read());
      },
    });
}

function addGauge<Label extends string>(registry: Registry, settings: GaugeConfiguration<Label>): void {
  registry.registerMetric(new Gauge({ ...settings, registers: [] }));
}
