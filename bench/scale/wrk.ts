// One window of load by wrk, a process of its own, over a list of requests.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { cookieFor, type Sessions } from './sign-in.ts';

/** `%KEY%` in a body becomes a new UUID each time. `by`: which of the sessions asks. */
export type Asked = { path: string; body?: string; by?: number };
export type Load = {
  url: string;
  requests: readonly Asked[];
  connections: number;
  seconds: number;
  /** Whose requests with a body are, and all where none has one: other requests are anonymous. */
  sessions?: Sessions | undefined;
  /** From which on, in turn. */
  from: number | 'anywhere';
};

const windowSchema = z.object({
  requests: z.number(),
  seconds: z.number(),
  errors: z.record(z.enum(['connect', 'read', 'write', 'status', 'timeout']), z.number()),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
/** Latencies in milliseconds. */
export type Window = z.infer<typeof windowSchema>;

/** Throws a sentence when there is no wrk. */
export function insistOnWrk(): void {
  if (spawnSync('wrk', ['-v']).error !== undefined)
    throw new Error('The load is made by wrk, which is not installed: apt-get install wrk');
}

// Each line of the list is a request. A list that is asked in turn starts anywhere, so that windows differ.
const SCRIPT = `
local paths, bodies, cookies, at, last, headers = {}, {}, {}, 0, 0, {}
function init(args)
  math.randomseed(os.time() + tonumber(args[2]))
  for line in io.lines(args[1]) do
    last = last + 1
    paths[last], bodies[last], cookies[last] = line:match('^([^\\t]*)\\t([^\\t]*)\\t(.*)$')
  end
  headers['Content-Type'] = 'application/x-www-form-urlencoded'
  headers['Origin'] = args[4]
  at = args[3] == 'anywhere' and math.random(last) or tonumber(args[2]) % last
end
local function uuid()
  return (('xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'):gsub('x', function() return ('%x'):format(math.random(0, 15)) end))
end
function request()
  at = at % last + 1
  local body, cookie = bodies[at], cookies[at]
  if body == '' then return wrk.format('GET', paths[at], cookie ~= '' and { Cookie = cookie } or nil) end
  headers['Cookie'] = cookie
  return wrk.format('POST', paths[at], headers, (body:gsub('%%KEY%%', uuid)))
end
function done(summary, latency)
  local e = summary.errors
  local errors = ('{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}'):format(e.connect, e.read, e.write,
    e.status, e.timeout)
  io.write(('\\nRESULT {"requests":%d,"seconds":%f,"errors":%s,"p50":%f,"p95":%f,"p99":%f}\\n'):format(summary.requests,
    summary.duration / 1e6, errors, latency:percentile(50) / 1e3, latency:percentile(95) / 1e3,
    latency:percentile(99) / 1e3))
end
`;

let windows = 0;

/** Runs one window. */
export async function runWindow({ url, requests, connections, seconds, sessions, from }: Load): Promise<Window> {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-wrk-'));
  try {
    const [script, list] = [path.join(folder, 'load.lua'), path.join(folder, 'requests.txt')];
    await writeFile(script, SCRIPT);
    const writes = requests.some(({ body }) => body !== undefined);
    const cookieOf = ({ body, by }: Asked) =>
      sessions === undefined || (writes && body === undefined) ? '' : cookieFor(sessions, by);
    await writeFile(list, requests.map((asked) => `${asked.path}\t${asked.body ?? ''}\t${cookieOf(asked)}\n`).join(''));
    const start = typeof from === 'number' ? from : (windows += 1);
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url];
    const where = from === 'anywhere' ? from : 'from';
    const output = await outputOf([...args, '--', list, String(start), where, sessions?.origin ?? '']);
    const result = /RESULT (\{.*\})/.exec(output)?.[1];
    if (result === undefined) throw new Error(`wrk told nothing: ${output}`);
    return windowSchema.parse(JSON.parse(result));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}
