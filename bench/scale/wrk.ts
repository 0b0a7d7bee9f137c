// One window of load by wrk, a process of its own, over a list of requests.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** `%KEY%` in a body becomes a new UUID each time. */
export type Asked = { path: string; body?: string };
export type Load = {
  url: string;
  requests: readonly Asked[];
  connections: number;
  seconds: number;
  /** Sent with a body, and with all where none has one: other requests are anonymous. */
  headers: Readonly<Record<string, string>>;
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
local paths, bodies, at, last, posted, got = {}, {}, 0, 0, {}, {}
function init(args)
  math.randomseed(os.time() + tonumber(args[2]))
  for line in io.lines(args[1]) do
    local path, body = line:match('^([^\\t]*)\\t(.*)$')
    last = last + 1
    paths[last], bodies[last] = path, body
  end
  for name, value in pairs(wrk.headers) do
    posted[name] = value
    if args[4] == 'signed in' then got[name] = value end
  end
  posted['Content-Type'] = 'application/x-www-form-urlencoded'
  at = args[3] == 'anywhere' and math.random(last) or tonumber(args[2]) % last
end
local function uuid()
  return (('xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'):gsub('x', function() return ('%x'):format(math.random(0, 15)) end))
end
function request()
  at = at % last + 1
  local body = bodies[at]
  if body == '' then return wrk.format('GET', paths[at], got) end
  return wrk.format('POST', paths[at], posted, (body:gsub('%%KEY%%', uuid)))
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
export async function runWindow({ url, requests, connections, seconds, headers, from }: Load): Promise<Window> {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-wrk-'));
  try {
    const [script, list] = [path.join(folder, 'load.lua'), path.join(folder, 'requests.txt')];
    await writeFile(script, SCRIPT);
    await writeFile(list, requests.map(({ path: asked, body = '' }) => `${asked}\t${body}\n`).join(''));
    // wrk hands them to the script as its own headers.
    const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const start = typeof from === 'number' ? from : (windows += 1);
    const who = requests.some(({ body }) => body !== undefined) ? 'anonymous' : 'signed in';
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, ...given, url];
    const output = await outputOf([...args, '--', list, String(start), from === 'anywhere' ? from : 'from', who]);
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
