// What the cases of the conformance of witnesses share: a case, the requests that it sends, and what an answer must
// hold.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type ConformanceLog, makeLog } from './conformance-log.ts';
import { cosignatureTime, hasValidSignature, isSignedBy, parseNote } from './signed-note.ts';
import { parseSignatureLines, parseVkey, WITNESS_KEY } from './signed-note.ts';

export type RunningWitness = {
  // The submission prefix, and the monitoring prefix too.
  url: string;
  vkey: string;
  // Ends the witness. It may be called on one that has ended.
  stop: () => Promise<void>;
  // Ends it without a warning, as a power cut would, and starts it on what it persisted.
  restart: () => Promise<RunningWitness>;
};
export type Case = {
  name: string;
  // The verifier keys that the witness is configured with.
  logs: string[];
  run: (witness: RunningWitness) => Promise<void>;
};
export type Reply = { status: number; type: string | null; body: string };

// A case with a log of its own, so that one witness can serve all of them.
export function oneLog(name: string, run: (witness: RunningWitness, log: ConformanceLog) => Promise<void>): Case {
  const log = makeLog(originOf(name));
  return { name, logs: [log.key.vkey], run: (witness) => run(witness, log) };
}

export function originOf(name: string): string {
  return `conformance.example/${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

export async function submit({ url }: RunningWitness, body: string | Buffer): Promise<Reply> {
  return reply(await fetch(`${url}/add-checkpoint`, { method: 'POST', body: new Uint8Array(Buffer.from(body)) }));
}

export async function monitor({ url }: RunningWitness, origin: string): Promise<Reply> {
  const hash = createHash('sha256').update(origin).digest('hex');
  return reply(await fetch(`${url}/${hash}/checkpoint`, { redirect: 'manual' }));
}

export async function reply(response: Response): Promise<Reply> {
  const body = Buffer.from(await response.arrayBuffer()).toString('utf8');
  return { status: response.status, type: response.headers.get('content-type'), body };
}

// Sends a right request, from the old size to the size, and holds the answer to be its cosignature.
export async function grow(witness: RunningWitness, log: ConformanceLog, old: number, size: number): Promise<void> {
  expectCosigned(witness, log.text(size), await submit(witness, log.request(old, size)));
}

// Holds the answer to be a cosignature over the text, and returns its time.
export function expectCosigned({ vkey }: RunningWitness, text: string, { status, body }: Reply): bigint {
  expect(`${status} ${body}`).toMatch(/^200 (?:— [^ \n]+ [A-Za-z0-9+/]+={0,2}\n)+$/u);
  const key = parseVkey(vkey, WITNESS_KEY);
  const own = parseSignatureLines(body)?.signatures.filter((each) => isSignedBy(key, each)) ?? [];
  expect(own, 'cosignatures under the name and ID of the witness').not.toHaveLength(0);
  const times = own.map((each) => cosignatureTime(key, text, each));
  for (const time of times) expect(time, 'the time of a valid cosignature').toBeGreaterThan(0n);
  return times[0] ?? 0n;
}

export function expectConflict(given: Reply, size: number | bigint): void {
  expect(given).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` });
}

// Where the specification names no status, each of the client's errors is right, but nothing that could be a
// cosignature.
export function expectRefused(given: Reply, status: number | 'any'): void {
  if (status === 'any') {
    expect(given.status, given.body).toBeGreaterThanOrEqual(400);
    expect(given.status, given.body).toBeLessThan(500);
  } else expect(given.status, given.body).toBe(status);
  expect(given.body).not.toContain('— ');
}

// The size that the witness has on record, above zero, as a client without knowledge asks for it.
export async function expectRecorded(witness: RunningWitness, log: ConformanceLog, size: number): Promise<void> {
  expectConflict(await submit(witness, log.request(0, size)), size);
}

// The checkpoint that the witness serves to monitors, with both signatures checked. A witness may serve it late: these
// cases give it some seconds.
export async function expectServed(witness: RunningWitness, log: ConformanceLog, text: string): Promise<void> {
  await expect
    .poll(async () => parseNote((await monitor(witness, log.origin)).body)?.text, { timeout: 10_000 })
    .toBe(text);
  const served = await monitor(witness, log.origin);
  expect(served.status).toBe(200);
  const note = parseNote(served.body);
  const ofLog = note?.signatures.filter((each) => isSignedBy(log.key, each)) ?? [];
  expect(ofLog.map((each) => hasValidSignature(log.key, text, each))).toContain(true);
  const key = parseVkey(witness.vkey, WITNESS_KEY);
  const own = note?.signatures.filter((each) => isSignedBy(key, each)) ?? [];
  expect(own.map((each) => cosignatureTime(key, text, each) !== undefined)).toContain(true);
}
