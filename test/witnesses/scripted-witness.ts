// A witness that answers as a test says: late, never, wrongly, without end. It has a real key, so what it cosigns by
// the rules verifies. It shares no code with the product and runs in the test's process.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';
import { cosignatureLine, formatSignature, keyFromSeed, type NoteKey, WITNESS_KEY } from './signed-note.ts';

export type ScriptedAnswer =
  // Cosigns what was submitted. `time` counts seconds since 1970 and is now unless given, zero and future times too.
  // What is `wrong` is the root that is cosigned, the name in the line, or the key that signs under the right name and
  // key ID. `among` puts that many lines of unknown keys before the cosignature.
  | { kind: 'cosignature'; time?: bigint; wrong?: 'root' | 'name' | 'key'; among?: number }
  // 409 with the size that the witness claims to have on record.
  | { kind: 'conflict'; size: number | bigint }
  | { kind: 'status'; status: number; body?: string | Uint8Array; headers?: Record<string, string> }
  | { kind: 'redirect'; to: string; status?: number }
  | { kind: 'slow'; ms: number; answer: ScriptedAnswer }
  // Takes the request and never answers.
  | { kind: 'hang' }
  // Resets the TCP connection.
  | { kind: 'reset' }
  // Bytes that are no HTTP.
  | { kind: 'garbage' }
  // 200 with bytes that are no UTF-8.
  | { kind: 'garbage-body' }
  // 200 with a body as fast as the client reads, without end.
  | { kind: 'endless' }
  // 200 with one byte each time, without end.
  | { kind: 'drip'; everyMs: number }
  // 200 with the first half of the right cosignature; then the connection ends.
  | { kind: 'cut' };

export type ReceivedRequest = { method: string; path: string; body: string; headers: Headers; at: Date };

export type ScriptedWitness = {
  url: string;
  vkey: string;
  requests: ReceivedRequest[];
  // Answers to the next requests, one each.
  next: (...answers: ScriptedAnswer[]) => void;
  // Answers to all further requests, over and over. Without it they get right cosignatures.
  always: (...answers: ScriptedAnswer[]) => void;
  // Resolves as soon as so many requests have come.
  received: (count: number) => Promise<void>;
  // Drops the connections that still wait.
  stop: () => Promise<void>;
};

const BYTES = createHash('sha512').update('garbage').digest();

export async function startScriptedWitness({ name }: { name: string }): Promise<ScriptedWitness> {
  const key = keyFromSeed(name, WITNESS_KEY, `scripted witness ${name}`);
  const requests: ReceivedRequest[] = [];
  const queue: ScriptedAnswer[] = [];
  let repeated: ScriptedAnswer[] = [{ kind: 'cosignature' }];
  let turn = 0;
  const waiting: { count: number; resolve: () => void }[] = [];
  const timers = new Set<NodeJS.Timeout>();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const { method = '', url: path = '' } = request;
    const headers = new Headers(Object.entries(request.headersDistinct).map(([name, values]) => [name, `${values}`]));
    requests.push({ method, path, body, headers, at: new Date() });
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    give(queue.shift() ?? repeated[turn++ % repeated.length] ?? { kind: 'hang' }, body, response);
  }

  function give(answer: ScriptedAnswer, body: string, response: ServerResponse): void {
    if (answer.kind !== 'slow') return respond(key, answer, body, response);
    const timer = setTimeout(() => {
      timers.delete(timer);
      give(answer.answer, body, response);
    }, answer.ms);
    timers.add(timer);
  }

  const server = createServer((request, response) => {
    // The client may end the connection in the middle of its request.
    void receive(request, response).catch(() => response.destroy());
  });
  const { origin, stop } = await listen(server);
  return {
    url: origin,
    vkey: key.vkey,
    requests,
    next: (...answers) => void queue.push(...answers),
    always: (...answers) => {
      repeated = answers;
      turn = 0;
    },
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      await stop();
    },
  };
}

type Immediate = Exclude<ScriptedAnswer, { kind: 'slow' }>;

function respond(key: NoteKey, answer: Immediate, submitted: string, response: ServerResponse): void {
  switch (answer.kind) {
    case 'cosignature':
      return void response.writeHead(200).end(cosign(key, submitted, answer));
    case 'conflict':
      return void response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end(`${answer.size}\n`);
    case 'status':
      return void response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    case 'redirect':
      return void response.writeHead(answer.status ?? 307, { Location: answer.to }).end();
    case 'hang':
      return;
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'garbage':
      return void response.socket?.end(BYTES);
    case 'garbage-body':
      return void response.writeHead(200).end(BYTES);
    case 'endless':
      response.writeHead(200);
      return pour(response);
    case 'drip':
      response.writeHead(200);
      return drip(response, answer.everyMs);
    case 'cut':
      return cut(response, cosign(key, submitted, {}));
  }
}

type Cosignature = Omit<Extract<ScriptedAnswer, { kind: 'cosignature' }>, 'kind'>;

function cosign(key: NoteKey, submitted: string, { time, wrong, among = 0 }: Cosignature): string {
  const text = submitted.slice(submitted.indexOf('\n\n') + 2, submitted.lastIndexOf('\n\n') + 1);
  const { privateKey } = keyFromSeed(key.name, WITNESS_KEY, 'another key');
  const signer = {
    root: key,
    name: { ...key, name: `${key.name}/wrong` },
    // The right name and key ID, over what another key signs.
    key: { ...key, privateKey },
    none: key,
  }[wrong ?? 'none'];
  const others = Array.from({ length: among }, (_, index) =>
    formatSignature(`unknown.example/${index}`, Buffer.from('0a0b0c0d', 'hex'), Buffer.alloc(72, index)),
  );
  const seconds = time ?? BigInt(Math.floor(Date.now() / 1000));
  return others.join('') + cosignatureLine(signer, wrong === 'root' ? withOtherRoot(text) : text, seconds);
}

function withOtherRoot(text: string): string {
  const [origin, size, , ...rest] = text.split('\n');
  return [origin, size, createHash('sha256').update('another root').digest('base64'), ...rest].join('\n');
}

function pour(response: ServerResponse): void {
  const chunk = formatSignature('endless.example', Buffer.alloc(4), Buffer.alloc(72)).repeat(100);
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

function drip(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => response.write('a'), everyMs);
  response.once('close', () => clearInterval(timer));
}

function cut(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
