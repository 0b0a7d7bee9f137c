// The results as a table: ratios to (a) and (b), and whether each promise of the product is met.
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Loaded } from './load-registry.ts';
import type { Result } from './measure.ts';
import type { RegistryKind } from './registry-plan.ts';

export type Whole = {
  loaded: Loaded;
  /** The folder's size. */
  diskMb: number;
  startMs: number;
  memoryMb: number;
  pool: number;
  seconds: number;
  rounds: number;
};
type Promised = { name: RegExp; connections: number; wanted: string; isMet: (result: Result) => boolean };

const toBytes = ({ registry, bytes }: Result) => registry.perSecond / bytes.perSecond;
const toSql = ({ registry, sql }: Result) => (sql === undefined ? 0 : registry.perSecond / sql.perSecond);
const share = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;
const ms = (time: number) => `${time < 10 ? time.toFixed(2) : time.toFixed(0)}`;

const PROMISES: readonly Promised[] = [
  {
    name: /^(JSON (vehicle|history)|HTML vehicle page), cached$/,
    connections: 16,
    wanted: '50 % of (a)',
    isMet: (result) => toBytes(result) >= 0.5,
  },
  {
    name: /^HTML vehicle page, every request another one$/,
    connections: 1,
    wanted: '2.5 ms of CPU',
    isMet: ({ registry }) => registry.cpuMs <= 2.5,
  },
  {
    name: /^JSON search, [36] characters, first page$/,
    connections: 16,
    wanted: '60 % of (b)',
    isMet: (result) => toSql(result) >= 0.6,
  },
  { name: /^JSON search, any/, connections: 1, wanted: 'p95 under 20 ms', isMet: ({ registry }) => registry.p95 < 20 },
  {
    name: /^JSON search, middle of over/,
    connections: 1,
    wanted: 'p95 under 100 ms',
    isMet: ({ registry }) => registry.p95 < 100,
  },
  {
    name: /^record a calibration$/,
    connections: 16,
    wanted: '40 % of (b)',
    isMet: (result) => toSql(result) >= 0.4,
  },
];

/** The section of one size, as Markdown: what (a) and (b) are stands at the top of bench/RESULTS.md. */
export function report(results: readonly Result[], whole: Whole): string {
  const { loaded, diskMb, startMs, memoryMb, pool, seconds, rounds } = whole;
  const [cpu] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' });
  return [
    `${loaded.vehicles.toLocaleString('en-AU')} vehicles with ${HISTORIES[loaded.kind]}, on ${date} at ${commit.trim()}: ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}. Windows of ${seconds} s, (a), (b) and the registry in turn, the median of ${rounds}; a pool of ${pool} for (b). Memory of the server after it all: ${memoryMb} MB (promised: under 400, ${said(memoryMb < 400)}). First answer ${(startMs / 1000).toFixed(1)} s after the start (promised: under 3, ${said(startMs < 3000)}).`,
    '',
    `Loaded on ${loaded.today}: ${loaded.exportMb} MB imported in ${loaded.importSeconds} s, ${loaded.visits.toLocaleString('en-AU')} visits recorded in ${loaded.visitSeconds} s. On disk after all of this: ${diskMb} MB.`,
    '',
    '| Workload | connections | requests/s | of (a) | of (b) | p50 ms | p95 | p99 | CPU ms/request | of (b) | bytes | promised |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...results.map(row),
    '',
  ].join('\n');
}

const HISTORIES: Readonly<Record<RegistryKind, string>> = {
  four: 'four readings each, long histories among them',
  histories: '4 to 1,280 readings each, 100 on average',
};

const said = (isMet: boolean) => (isMet ? 'met' : '**not met**');

function row(result: Result): string {
  const { workload, registry, sql, size } = result;
  const promised = PROMISES.find(
    ({ name, connections }) => connections === workload.connections && name.test(workload.name),
  );
  const cells = [
    workload.name,
    workload.connections,
    Math.round(registry.perSecond),
    share(toBytes(result)),
    sql === undefined ? '' : share(toSql(result)),
    ms(registry.p50),
    ms(registry.p95),
    ms(registry.p99),
    registry.cpuMs.toFixed(2),
    sql === undefined ? '' : sql.cpuMs.toFixed(2),
    size,
    promised === undefined ? '' : `${promised.wanted}: ${said(promised.isMet(result))}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
