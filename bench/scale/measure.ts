// Workloads against (a), (b) and the registry, in turn, several times.
import { randomUUID } from 'node:crypto';
import { residentOf, cpuOf, cpuOfPostgres } from './processes.ts';
import type { Served } from './children.ts';
import { cookieFor, type Sessions } from './sign-in.ts';
import type { Workload } from './workload.ts';
import { runWindow, type Asked, type Window } from './wrk.ts';

export type Targets = {
  bytes: Served;
  sql: Served;
  registry: Served;
  postmaster: number;
  sessions: Readonly<Record<'technicians' | 'admin', Sessions>>;
};
export type Plan = { seconds: number; rounds: number };
/** `cpuMs`: processor time a request, the database included. */
export type Measured = Window & { perSecond: number; cpuMs: number };
export type Result = { workload: Workload; registry: Measured; bytes: Measured; sql?: Measured; size: number };

const AT_ONCE = 4;
// What V8 makes of the code that a form passes through goes on getting faster for some 30,000 forms.
const WARM_SECONDS = 40;

type Side = {
  served: Served;
  requests: readonly Asked[];
  sessions?: Sessions | undefined;
  database: boolean;
  /** How many of its requests were asked, where each window goes on. */
  asked: number;
};

type Prepared = { workload: Workload; size: number; sides: readonly (Side & { name: SideName })[] };
type SideName = 'bytes' | 'sql' | 'registry';

/** Runs `workloads` in turn; of each the median of the rounds by requests a second. */
export async function measure(
  workloads: readonly Workload[],
  targets: Targets,
  { seconds, rounds }: Plan,
): Promise<Result[]> {
  const prepared: Prepared[] = [];
  for (const workload of workloads) prepared.push(await prepare(workload, targets, seconds));
  const taken = prepared.map((): Record<SideName, Measured[]> => ({ bytes: [], sql: [], registry: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [nth, { workload, sides }] of prepared.entries())
      for (const side of sides)
        taken[nth]?.[side.name].push(await windowOf(side, workload, targets.postmaster, seconds));
  return prepared.map(({ workload, size }, nth) => {
    const [bytes, sql, registry] = (['bytes', 'sql', 'registry'] as const).map((name) =>
      median(taken[nth]?.[name] ?? []),
    );
    if (bytes === undefined || registry === undefined) throw new Error('nothing was measured');
    return { workload, bytes, registry, size, ...(sql === undefined ? {} : { sql }) };
  });
}

async function prepare(workload: Workload, targets: Targets, seconds: number): Promise<Prepared> {
  const { requests, bare, connections, warm = [], warmBare = [], isOfBare = false, isAdmins = false } = workload;
  const asked = isOfBare ? targets.sql : targets.registry;
  const posts = requests.some(({ body }) => body !== undefined);
  const own = isAdmins ? targets.sessions.admin : undefined;
  const size = await sizeOf(asked.url, requests, own);
  const registry: Prepared['sides'][number] = {
    name: 'registry',
    served: asked,
    requests,
    sessions: posts ? targets.sessions.technicians : own,
    database: true,
    asked: posts ? 0 : SIZED,
  };
  const sides: Prepared['sides'] = [
    { name: 'bytes', served: targets.bytes, requests: [{ path: `/?bytes=${size}` }], database: false, asked: 0 },
    ...(bare === undefined
      ? []
      : [{ name: 'sql' as const, served: targets.sql, requests: bare, database: true, asked: 0 }]),
    registry,
  ];
  await askEach(targets.sql.url, warmBare);
  await askEach(asked.url, warm);
  // What has run a few hundred times is not compiled yet, and a write cannot be asked for beforehand.
  const warmSeconds = posts && connections > 1 ? Math.min(WARM_SECONDS, 4 * seconds) : seconds;
  if (posts || isOfBare)
    for (const side of sides)
      if (side.name !== 'bytes') await windowOf(side, workload, targets.postmaster, warmSeconds);
  return { workload, size, sides };
}

const SENT_AT_ONCE = 16;

/** Sends each of `recordings`, in order: a visit that lacks a reading would not close. */
export async function sendAll(recordings: readonly Asked[], { registry, sessions }: Targets): Promise<void> {
  const waiting = recordings.values();
  const { technicians } = sessions;
  const send = async () => {
    for (const { path, body = '', by } of waiting) {
      const headers = {
        Cookie: cookieFor(technicians, by),
        Origin: technicians.origin,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      const form = { method: 'POST', headers, body: body.replace('%KEY%', randomUUID()), redirect: 'manual' } as const;
      const answer = await fetch(`${registry.url}${path}`, form);
      await answer.arrayBuffer();
      if (answer.status !== 303) throw new Error(`a recording was answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, send));
}

async function windowOf(
  side: Side,
  { connections, inTurn = false }: Pick<Workload, 'connections' | 'inTurn'>,
  postmaster: number,
  seconds: number,
): Promise<Measured> {
  const { served, requests, sessions, database } = side;
  const from = inTurn ? side.asked : 'anywhere';
  const cpu = async () => (await cpuOf(served.pid)) + (database ? await cpuOfPostgres(postmaster) : 0);
  const before = await cpu();
  const window = await runWindow({ url: served.url, requests, connections, seconds, sessions, from });
  // More than those under way when it ended.
  side.asked += window.requests + 4 * connections;
  const took = (await cpu()) - before;
  const failed = Object.entries(window.errors).filter(([, count]) => count > 0);
  if (failed.reduce((sum, [, count]) => sum + count, 0) > window.requests / 1000) {
    const kinds = failed.map(([kind, count]) => `${count} by ${kind}`).join(', ');
    throw new Error(`of ${window.requests} requests to ${served.url} failed: ${kinds}`);
  }
  return { ...window, perSecond: window.requests / window.seconds, cpuMs: took / Math.max(1, window.requests) };
}

async function askEach(url: string, asked: readonly Asked[]): Promise<void> {
  const waiting = asked.values();
  const ask = async () => {
    for (const { path } of waiting) await (await fetch(`${url}${path}`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

// So many are asked to see what answers weigh. What is never asked twice, or writes, goes on behind them.
const SIZED = 21;

// What most answers of the registry weigh: (a) answers as many bytes.
async function sizeOf(url: string, requests: readonly Asked[], own: Sessions | undefined): Promise<number> {
  const headers = own === undefined ? {} : { Cookie: cookieFor(own) };
  const sizes: number[] = [];
  for (const { path, body } of requests.slice(0, SIZED))
    if (body === undefined) sizes.push((await (await fetch(`${url}${path}`, { headers })).arrayBuffer()).byteLength);
  return sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
}

function median(all: readonly Measured[]): Measured | undefined {
  return all.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor((all.length - 1) / 2)];
}

/** Memory of the registry's process in MB. */
export const memoryOf = ({ registry }: Targets): Promise<number> => residentOf(registry.pid);
