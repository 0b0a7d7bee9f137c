// The results in words: ratios to (a) and (b), and each target of the product with whether it was met.
import { cpus } from 'node:os';
import type { Result } from './measure.ts';

export type Whole = {
  vehicles: number;
  startMs: number;
  memoryMb: number;
  pool: number;
  seconds: number;
  rounds: number;
};
type Target = { what: string; wanted: string; is: string; met: boolean };

const of = (results: readonly Result[], name: RegExp, connections: number): Result[] =>
  results.filter(({ workload }) => name.test(workload.name) && workload.connections === connections);
const toBytes = ({ registry, bytes }: Result) => registry.perSecond / bytes.perSecond;
const toSql = ({ registry, sql }: Result) => (sql === undefined ? 0 : registry.perSecond / sql.perSecond);
const share = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;
const ms = (time: number) => `${time < 10 ? time.toFixed(2) : time.toFixed(0)}`;

/** The page of results, as Markdown. */
export function report(results: readonly Result[], whole: Whole): string {
  const { vehicles, startMs, memoryMb, pool, seconds, rounds } = whole;
  const [cpu] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  return [
    `${vehicles.toLocaleString('en-AU')} vehicles with four calibrations each, on ${date}: ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}. Windows of ${seconds} s, (a), (b) and the registry in turn, the median of ${rounds}. (a) is Node answering as many bytes from memory, (b) Node and \`pg\` with the bare SQL and a pool of ${pool}; of a page never seen, its one statement and React with as many elements. Without HTTP and session: the registry's own recording, called in the process of (b). By the libraries alone: Hono's server and React Router around the same, with nothing of the product.`,
    '',
    '| Target | wanted | measured | |',
    '|---|---|---|---|',
    ...targets(results, startMs, memoryMb).map(
      ({ what, wanted, is, met }) => `| ${what} | ${wanted} | ${is} | ${met ? 'met' : '**not met**'} |`,
    ),
    '',
    '| Workload | connections | requests/s | of (a) | of (b) | p50 ms | p95 | p99 | CPU ms/request | of (b) | bytes |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...results.map(row),
    '',
  ].join('\n');
}

function row(result: Result): string {
  const { workload, registry, sql, size } = result;
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
  ];
  return `| ${cells.join(' | ')} |`;
}

function targets(results: readonly Result[], startMs: number, memoryMb: number): Target[] {
  const least = (
    what: string,
    found: readonly Result[],
    ratio: (result: Result) => number,
    limit: number,
    name: string,
  ) =>
    found.map((result) => ({
      what: `${what}: ${result.workload.name}`,
      wanted: `at least ${share(limit)} of ${name}`,
      is: share(ratio(result)),
      met: ratio(result) >= limit,
    }));
  const within = (what: string, found: readonly Result[], limit: number) =>
    found.map(({ registry }) => ({
      what,
      wanted: `p95 under ${limit} ms`,
      is: `${ms(registry.p95)} ms`,
      met: registry.p95 < limit,
    }));
  return [
    ...least('16 connections', of(results, /^JSON (vehicle|history)$/, 16), toBytes, 0.5, '(a)'),
    ...least('16 connections', of(results, /^HTML vehicle page, cached$/, 16), toBytes, 0.5, '(a)'),
    ...of(results, /never seen/, 1).map(({ registry }) => ({
      what: 'HTML vehicle page never seen before',
      wanted: 'at most 2.5 ms of CPU',
      is: `${registry.cpuMs.toFixed(2)} ms`,
      met: registry.cpuMs <= 2.5,
    })),
    ...least('16 connections', of(results, /^JSON search, [36] characters, first/, 16), toSql, 0.6, '(b)'),
    ...within('any search, its first and last 100 pages, 1 client', of(results, /^JSON search, any/, 1), 20),
    ...within('a middle page of over 100,000 hits, 1 client', of(results, /^JSON search, middle of over/, 1), 100),
    ...least('16 connections', of(results, /^record a calibration$/, 16), toSql, 0.4, 'the bare insert'),
    { what: 'memory of the server after it all', wanted: 'under 400 MB', is: `${memoryMb} MB`, met: memoryMb < 400 },
    {
      what: 'first answer after the start',
      wanted: 'in under 3 s',
      is: `${(startMs / 1000).toFixed(1)} s`,
      met: startMs < 3000,
    },
  ];
}
