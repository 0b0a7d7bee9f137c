// One window of load: so many connections, each of which asks for the next as soon as it has its answer.
import { Agent, request } from 'node:http';

/** `form`: its fields, sent as a browser sends them, and answered with 303. `by`: which of the sessions sends it. */
export type Asked = { path: string; form?: readonly [name: string, value: string][]; by?: number };
type Load = {
  url: string;
  connections: number;
  seconds: number;
  /** The nth request of all windows. */
  ask: (nth: number) => Asked;
  /** The number of the first. */
  from: number;
  cookie: (by: number) => string | undefined;
};
const BOUNDARY = 'bench-form-1f0c9d2e';

/** Latencies in milliseconds, the shortest first. `refused`: answers with another status than 200, or 303 to a form. */
export type Window = { latencies: number[]; refused: Map<number, number> };

export async function runWindow({ url, connections, seconds, ask, from, cookie }: Load): Promise<Window> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  const refused = new Map<number, number>();
  let next = from;
  const client = async () => {
    while (performance.now() < until) {
      const asked = ask(next++);
      const began = performance.now();
      const status = await send(agent, url, asked, cookie(asked.by ?? 0));
      if (status !== (asked.form === undefined ? 200 : 303)) refused.set(status, (refused.get(status) ?? 0) + 1);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return { latencies: latencies.sort((a, b) => a - b), refused };
}

function send(agent: Agent, url: string, { path, form }: Asked, cookie: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(cookie !== undefined && { cookie }),
      ...(form !== undefined && { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, origin: url }),
    };
    const sent = request(`${url}${path}`, { agent, headers, method: form === undefined ? 'GET' : 'POST' }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', reject);
    });
    sent.once('error', reject);
    sent.end(form === undefined ? undefined : multipart(form));
  });
}

const multipart = (form: readonly [name: string, value: string][]): string =>
  form
    .map(([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('') + `--${BOUNDARY}--\r\n`;

/** The value below which so many of a hundred lie. */
export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;

export const median = (all: readonly number[]): number =>
  percentile(
    all.toSorted((a, b) => a - b),
    50,
  );
