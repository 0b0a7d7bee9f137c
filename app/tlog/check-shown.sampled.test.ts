// The browser's check, over a log that is laid out as it is published: what is shown must be what was logged, and the
// tree must have only grown since it was seen last.
import { beforeAll, expect, test } from 'vitest';
import { newKey, publish, someEntries, type SmallLog } from '#test/small-log.ts';
import { STEP, sampled } from '#test/sample.ts';
import { cosigned, policyText } from '#test/witnesses/cosign.ts';
import { utf8, type Bytes } from './bytes.ts';
import { checkShown, type Memory, type Shown } from './check-shown.ts';
import { commit, randomSalt } from './commitment.ts';
import { formatLeaf } from './leaf.ts';
import { nodeSha256 } from './sha256.server.ts';
import { formatVerifierKey } from './signed-note.ts';
import type { SigningKey } from './sign-note.server.ts';
import { openTiles } from './tile-reader.ts';
import { tilePath } from './tiles.ts';
import { formatProofExtra, formatTlogProof, parseTlogProof } from './tlog-proof.ts';

const SUBJECT = { vehicle: '00000000-0000-4000-8000-000000000001', rego: 'ABC123' };
const BODY = { calibration: 1_794_525_944_316, axle: 'STEER', attribute: 'Empty Volt', value: '0.84', unit: 'V' };
const SIZES = [300, 700, 1000] as const;

let key: SigningKey;
let entries: Bytes[];
let mine: number;
let openings: Map<string, { salt: string; value: unknown }>;
const logs = new Map<number, SmallLog>();
beforeAll(async () => {
  key = await newKey();
  entries = await someEntries(1000, 1000);
  openings = new Map([
    ['subject', { salt: randomSalt(), value: SUBJECT }],
    ['people.technician', { salt: randomSalt(), value: 'J. Nguyen' }],
  ]);
  mine = 200;
  const committed = async (field: string) => commit(nodeSha256, field, openings.get(field) ?? { salt: '', value: '' });
  entries[mine] = formatLeaf({
    v: 1,
    type: 'calibration.recorded',
    at: '2026-11-21T00:03:20.000Z',
    origin: 'recorded',
    body: BODY,
    subject: await committed('subject'),
    subjectSeq: 1,
    people: { technician: await committed('people.technician') },
  });
  for (const size of SIZES) logs.set(size, await publish(entries.slice(0, size), key));
});

const shown = (more: Partial<Shown> = {}): Shown => ({
  key: formatVerifierKey(key.verifier),
  log: '/log/1',
  proof: '/proof',
  isWitnessed: false,
  zone: 'Australia/Sydney',
  type: 'calibration.recorded',
  body: BODY,
  values: { subject: SUBJECT, 'people.technician': 'J. Nguyen' },
  ...more,
});

function memory(): Memory & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) };
}

/** Answers as the registry with a log of `size` would. `fetched` counts bytes. */
function registry(size: number, change: (path: string, bytes: Bytes) => Bytes | number = (_path, bytes) => bytes) {
  const log = logs.get(size);
  if (log === undefined) throw new Error('no such size');
  const fetched = { bytes: 0 };
  const file = async (path: string): Promise<Bytes | undefined> => {
    if (path !== '/proof') return log.files.get(path.replace('/log/1/', ''));
    const tiles = await openTiles(nodeSha256, log.head, async (level, index, width) => {
      const tile = log.files.get(tilePath({ level, index, width }));
      if (tile === undefined) throw new Error('no tile');
      return tile;
    });
    const [leaf, checkpoint] = [entries[mine], log.files.get('checkpoint')];
    if (leaf === undefined || checkpoint === undefined) throw new Error('no leaf');
    const extra = formatProofExtra({ leaf, openings });
    return utf8(formatTlogProof({ index: mine, hashes: await tiles.proveInclusion(mine), checkpoint, extra }));
  };
  const fetchFile = async (path: string) => {
    const bytes = await file(path);
    if (bytes === undefined) return new Response(null, { status: 404 });
    const changed = change(path, bytes);
    if (typeof changed === 'number') return new Response(null, { status: changed });
    fetched.bytes += changed.length;
    return new Response(changed);
  };
  return { fetchFile, fetched };
}

const check = (what: Shown, size: number, remembered = memory(), change?: Parameters<typeof registry>[1]) =>
  checkShown(what, registry(size, change).fetchFile, { memory: remembered });

test('what was logged is proved, on the first visit, at the same size, and after the log has grown', async () => {
  const remembered = memory();
  for (const [size, words] of [
    [300, 'This browser will remember this log.'],
    [300, 'This browser has seen this log before, unchanged.'],
    [700, 'Since this browser saw it with 300 entries, the log has only grown.'],
    [1000, 'Since this browser saw it with 700 entries, the log has only grown.'],
  ] as const) {
    const answer = await check(shown(), size, remembered);
    expect([size, answer.result]).toEqual([size, 'proved']);
    expect(answer.sentence).toContain(words);
  }
});

test('a page that shows anything else than was logged does not match', async () => {
  for (const other of [
    { body: { ...BODY, value: '0.85' } },
    { body: { ...BODY, axle: 'DRIVE' } },
    { body: { ...BODY, nextDueOn: '2027-05-14' } },
    { body: { axle: 'STEER' } },
    { type: 'calibration.corrected' as const },
    { values: { subject: { ...SUBJECT, rego: 'ABC124' }, 'people.technician': 'J. Nguyen' } },
    { values: { subject: SUBJECT, 'people.technician': 'K. Smith' } },
  ])
    expect([other, (await check(shown(other), 700)).result]).toEqual([other, 'tampered']);
});

test('what is not there, not published or not opened could not be checked, and is never proved', async () => {
  const missing = (status: number) => (path: string, bytes: Bytes) => (path === '/proof' ? status : bytes);
  expect(await check(shown(), 700, memory(), missing(404))).toMatchObject({ result: 'could-not-tell' });
  expect((await check(shown(), 700, memory(), missing(503))).sentence).toContain('not published yet');
  const offline = await checkShown(shown(), () => Promise.reject(new TypeError('failed')), { memory: memory() });
  expect(offline).toMatchObject({ result: 'could-not-tell', sentence: expect.stringContaining('cannot be reached') });
  const values = { subject: SUBJECT, 'people.technician': 'J. Nguyen', certificate: 'x' };
  expect((await check(shown({ values }), 700)).result).toBe('could-not-tell');
});

test('another tree than this browser saw, a shorter one, another key, a rewritten one: none is proved', async () => {
  const remembered = memory();
  await check(shown(), 700, remembered);
  expect(await check(shown(), 300, remembered)).toMatchObject({
    result: 'tampered',
    sentence: expect.stringContaining('an older or another one'),
  });
  // The same log with another entry in it, signed with the same key.
  const honest = new Map(logs);
  const other = entries.with(
    5,
    formatLeaf({ v: 1, type: 'technician.approved', at: '2026-11-21T00:00:05.000Z', origin: 'recorded', body: {} }),
  );
  for (const size of [700, 1000]) logs.set(size, await publish(other.slice(0, size), key));
  const real = entries;
  entries = other;
  expect((await check(shown(), 700, remembered)).sentence).toContain('forked');
  expect((await check(shown(), 1000, remembered)).sentence).toContain('rewritten since');
  entries = real;
  for (const [size, log] of honest) logs.set(size, log);
  const stranger = await newKey();
  const answer = await check(shown({ key: formatVerifierKey(stranger.verifier) }), 700, remembered);
  expect(answer.result).not.toBe('proved');
});

test('the time is named in the registry’s zone, whatever the reader’s is', async () => {
  expect((await check(shown(), 300, memory())).sentence).toContain('logged on 21 November 2026, 11:03 am AEDT');
  const elsewhere = shown({ zone: 'America/Los_Angeles' });
  expect((await check(elsewhere, 300, memory())).sentence).toMatch(/logged on 20 November 2026, 4:03 pm (PST|GMT-8)/);
});

test('no flipped byte of what is fetched is proved', async () => {
  const first = memory();
  await check(shown(), 300, first);
  const flips: Promise<unknown>[] = [];
  const paths = new Map<string, number>();
  await check(shown(), 1000, structuredCloneOf(first), (path, bytes) => {
    paths.set(path, bytes.length);
    return bytes;
  });
  // Each byte of the proof and one in 37 of the other files, or a tenth of these.
  for (const [path, length] of paths)
    for (let place = 0; place < length; place += STEP * (path === '/proof' ? 1 : 37))
      flips.push(
        check(shown(), 1000, structuredCloneOf(first), (asked, bytes) => {
          if (asked !== path) return bytes;
          const flipped = Uint8Array.from(bytes);
          flipped[place] = (flipped[place] ?? 0) ^ 1;
          return flipped;
        }).then(({ result }) => expect([path, place, result]).not.toEqual([path, place, 'proved'])),
      );
  await Promise.all(flips);
  expect(flips.length).toBeGreaterThan(sampled(1000));
}, 60_000);

function structuredCloneOf({ kept }: ReturnType<typeof memory>) {
  const copy = memory();
  for (const [name, value] of kept) copy.kept.set(name, value);
  return copy;
}

const AT = new Date('2026-11-24T00:00:00Z');
const POLICY = policyText(['north', 'south', 'west'], 2);

/** As the registry with `size` entries, of whose newest checkpoint these witnesses have signed. */
function witnessedRegistry(size: number, names: readonly string[], policy = POLICY) {
  const { fetchFile } = registry(size);
  return async (path: string) => {
    if (path === '/log/1/policy') return new Response(policy);
    const answer = await fetchFile(path);
    if (path !== '/proof') return answer;
    const { checkpoint, ...proof } = parseTlogProof(new Uint8Array(await answer.arrayBuffer()));
    return new Response(formatTlogProof({ ...proof, checkpoint: cosigned(checkpoint, names, AT) }));
  };
}

test.each([
  [
    ['north', 'south'],
    24_000,
    { result: 'proved', sentence: expect.stringContaining('2 of 3 witnesses (north, south), 24 seconds ago') },
  ],
  [['west', 'north', 'south'], 24_000, { result: 'proved' }],
  [
    ['north', 'south'],
    26 * 3_600_000,
    { result: 'proved', isOld: true, sentence: expect.stringContaining('1 day 2 hours ago') },
  ],
  [['north'], 24_000, { result: 'could-not-tell', sentence: expect.stringContaining('1 of 3 witnesses (north)') }],
  [[], 24_000, { result: 'could-not-tell' }],
  [['north', 'south'], -3_600_000, { result: 'could-not-tell' }],
  [['stranger', 'nobody'], 24_000, { result: 'could-not-tell' }],
])('witnessed by %j, asked %i ms later', async (names, later, expected) => {
  const now = () => new Date(AT.getTime() + later);
  const answer = await checkShown(shown({ isWitnessed: true }), witnessedRegistry(700, names), {
    memory: memory(),
    now,
  });
  expect(answer).toMatchObject(expected);
  expect('isOld' in answer).toBe('isOld' in expected);
});

test('a log that had witnesses does not lose them unnoticed', async () => {
  const remembered = memory();
  const now = () => new Date(AT.getTime() + 1000);
  const fetchFile = witnessedRegistry(700, ['north', 'south']);
  expect((await checkShown(shown({ isWitnessed: true }), fetchFile, { memory: remembered, now })).result).toBe(
    'proved',
  );
  const answer = await checkShown(shown(), fetchFile, { memory: remembered, now });
  expect(answer).toEqual({
    result: 'could-not-tell',
    sentence: 'This log had witnesses when this browser saw it last, and now names none.',
  });
});

test('a proof of the newest witnessed checkpoint, older than what this browser saw, is proved in the log as it is', async () => {
  const remembered = memory();
  await check(shown(), 1000, remembered);
  const older = registry(700).fetchFile;
  const newest = registry(1000).fetchFile;
  const now = (path: string) => (path === '/proof' ? older(path) : newest(path));
  expect(await checkShown(shown(), now, { memory: remembered })).toMatchObject({
    result: 'proved',
    sentence: expect.stringContaining('Since this browser saw it with 1,000 entries, the log has only grown.'),
  });
});
