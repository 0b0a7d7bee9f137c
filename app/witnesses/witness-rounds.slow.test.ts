// Rounds of asking against a witness that was written from the specification alone, and one that does everything wrong.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#app/platform/database/database.server.ts';
import { publishLog } from '#app/transparency-log/publish.server.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { parseWitnessPolicy } from '#app/tlog/witness-policy.ts';
import { witnessesOf } from '#app/tlog/witnessed.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { growLog, newPublication, type TestPublication } from '#test/published-log.ts';
import { startScriptedWitness, type ScriptedAnswer, type ScriptedWitness } from '#test/witnesses/scripted-witness.ts';
import { startSecondWitness, type SecondWitness } from '#test/witnesses/second-witness.ts';
import { policyOf } from '#test/witnesses/witness-lines.ts';
import { readDiary, WitnessDiary } from './witness-diary.server.ts';
import { WitnessRounds } from './witness-rounds.server.ts';

let database: TestDatabase;
let db: Db;
let publication: TestPublication;
let north: SecondWitness;
let south: SecondWitness;
let wrong: ScriptedWitness;
let clock: number;
let stopping: AbortController;
const warned: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  clock = Date.now();
  stopping = new AbortController();
  warned.length = 0;
  publication = await newPublication(db);
  const logs = [formatVerifierKey(publication.key.verifier)];
  north = await startSecondWitness({ name: 'north.example/w', logs });
  south = await startSecondWitness({ name: 'south.example/w', logs });
  wrong = await startScriptedWitness({ name: 'wrong.example/w' });
});
afterEach(async () => {
  stopping.abort();
  await Promise.all([north.stop(), south.stop(), wrong.stop()]);
  await publication.remove();
});

const members = () => [
  { name: 'north', ...north },
  { name: 'south', ...south },
  { name: 'wrong', ...wrong },
];
const policy = (least: number) => parseWitnessPolicy(utf8(policyOf(members(), least)));

async function rounds(least: number): Promise<WitnessRounds> {
  const { folder, key } = publication;
  return new WitnessRounds(
    {
      folder,
      key: key.verifier,
      policy: await policy(least),
      now: () => new Date(clock),
      log: { info: () => {}, warn: (...what: unknown[]) => void warned.push(what) },
      signal: stopping.signal,
    },
    new WitnessDiary(folder, await readDiary(folder)),
  );
}

async function grow(count: number): Promise<void> {
  await growLog(db, count);
  expect(await publishLog(publication)).toMatchObject({ outcome: 'published' });
}

const shown = () => publication.folder.readWitnessed(publication.key.verifier);
const signedSize = async () => (await publication.folder.readCheckpoint(publication.key.verifier))?.head.size ?? 0;

/** One look, and all answers to it. */
async function round(asking: WitnessRounds): Promise<void> {
  await asking.look();
  await asking.ended();
}

async function by(least: number): Promise<string[]> {
  const head = await shown();
  if (head === undefined) return [];
  const witnessed = await witnessesOf(head.note, await policy(least), new Date(clock));
  return witnessed.by.map(({ name }) => name).toSorted();
}

test('the log grows, and each size is cosigned by all, also through a restart', async () => {
  const first = await rounds(3);
  const sizes = [0];
  for (const count of [1, 1, 298, 600]) {
    await grow(count);
    await round(first);
    sizes.push(await signedSize());
    expect([(await shown())?.head.size, await by(3)]).toEqual([sizes.at(-1), ['north', 'south', 'wrong']]);
  }
  await grow(3);
  await round(await rounds(3));
  expect((await shown())?.head.size).toBe(await signedSize());
  // Each was asked with the size that it had seen.
  expect(wrong.requests.map(({ body }) => body.split('\n')[0])).toEqual(sizes.map((size) => `old ${size}`));
  expect([...(await readDiary(publication.folder)).keys()].toSorted()).toEqual(['north', 'south', 'wrong']);
});

test('a hanging witness delays neither the others nor what is published', async () => {
  wrong.always({ kind: 'hang' });
  const asking = await rounds(2);
  await grow(5);
  await asking.look();
  await vi.waitFor(async () => expect(await by(2)).toEqual(['north', 'south']), 4000);
  // It hangs still.
  expect(wrong.requests).toHaveLength(1);
  await grow(5);
  await asking.look();
  await vi.waitFor(async () => expect((await shown())?.head.size).toBe(await signedSize()), 4000);
  expect(wrong.requests).toHaveLength(1);
});

const WRONG: [string, ScriptedAnswer][] = [
  ...[200, 204, 400, 403, 404, 405, 413, 422, 429, 500, 502, 503].map((status): [string, ScriptedAnswer] => [
    `status ${status}`,
    { kind: 'status', status, body: 'no\n' },
  ]),
  ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:9/' }],
  ['a reset connection', { kind: 'reset' }],
  ['no HTTP', { kind: 'garbage' }],
  ['a body of garbage', { kind: 'garbage-body' }],
  ['a body without end', { kind: 'endless' }],
  ['half an answer', { kind: 'cut' }],
  ['an answer after six seconds', { kind: 'slow', ms: 6000, answer: { kind: 'cosignature' } }],
  ['an answer of a byte a second', { kind: 'drip', everyMs: 1000 }],
  ['another root', { kind: 'cosignature', wrong: 'root' }],
  ['another name', { kind: 'cosignature', wrong: 'name' }],
  ['another key', { kind: 'cosignature', wrong: 'key' }],
  ['a time of tomorrow', { kind: 'cosignature', time: BigInt(Math.floor(Date.now() / 1000) + 86_400) }],
  ['no time', { kind: 'cosignature', time: 0n }],
  ['a conflict without end', { kind: 'conflict', size: 1 }],
  ['a conflict with a size beyond the log', { kind: 'conflict', size: 1_000_000_000 }],
  ['a conflict with a size beyond numbers', { kind: 'conflict', size: 2n ** 63n }],
];

test.each(WRONG)('%s is no cosignature, and the others’ are kept', async (_what, answer) => {
  wrong.always(answer);
  const asking = await rounds(3);
  await grow(7);
  await round(asking);
  expect(await shown()).toBeUndefined();
  expect(warned).toHaveLength(1);
  expect((await readDiary(publication.folder)).get('wrong')?.failing).not.toBe('');
  // Asked again later, it answers as it should.
  wrong.always({ kind: 'cosignature' });
  const asked = wrong.requests.length;
  await round(asking);
  expect(wrong.requests).toHaveLength(asked);
  clock += 11_000;
  await round(asking);
  expect(await by(3)).toEqual(['north', 'south', 'wrong']);
  expect((await readDiary(publication.folder)).get('wrong')?.failing).toBe('');
});

test('one conflict is repaired by the size in it', async () => {
  await grow(20);
  await round(await rounds(3));
  await grow(5);
  // What was remembered of the witnesses is lost, so they are asked as if they had seen nothing.
  await publication.folder.writeWitnessDiary('{}');
  await round(await rounds(3));
  expect(warned).toEqual([]);
  expect([(await shown())?.head.size, await by(3)]).toEqual([await signedSize(), ['north', 'south', 'wrong']]);
});

test('what was cosigned is cosigned again after an hour, though nothing was recorded', async () => {
  const asking = await rounds(3);
  await grow(4);
  await round(asking);
  const asked = wrong.requests.length;
  clock += 30 * 60_000;
  await round(asking);
  expect(wrong.requests).toHaveLength(asked);
  clock += 31 * 60_000;
  await round(asking);
  expect(wrong.requests).toHaveLength(asked + 1);
});

test('a cosignature of ten days ago is none, and an older one of the same checkpoint does not replace a newer', async () => {
  const timeOf = async (name: string) => {
    const head = await shown();
    const { by } = await witnessesOf(head?.note ?? new Uint8Array(), await policy(3), new Date(clock));
    return by.find((one) => one.name === name)?.at.getTime();
  };
  await grow(4);
  const asking = await rounds(3);
  await round(asking);
  const fresh = await timeOf('wrong');
  const seconds = BigInt(Math.floor(clock / 1000));
  for (const [time, failing] of [
    [seconds - 864_000n, 'its clock is behind'],
    [seconds - 7200n, ''],
  ] as const) {
    clock += 61 * 60_000;
    wrong.next({ kind: 'cosignature', time });
    await round(asking);
    expect((await readDiary(publication.folder)).get('wrong')?.failing).toBe(failing);
    expect(await timeOf('wrong')).toBe(fresh);
  }
});

test('a witness that has seen another tree of this size is not asked again and again', async () => {
  await grow(4);
  await round(await rounds(2));
  clock += 61 * 60_000;
  wrong.always({ kind: 'status', status: 409, body: 'The tree of this size has another root.\n' });
  const before = wrong.requests.length;
  await round(await rounds(2));
  expect(wrong.requests).toHaveLength(before + 1);
  expect((await readDiary(publication.folder)).get('wrong')?.failing).toBe('it has seen another tree of this size');
});
