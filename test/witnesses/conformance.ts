// Holds any witness to each MUST of c2sp.org/tlog-witness, by its URL and verifier key alone. A test file calls
// `conformance` with a function that starts a fresh witness for the logs of one case. A sampled file takes a tenth of
// each group.
import { describe, expect, test } from 'vitest';
import { STEP } from '#test/sample.ts';
import { type Case, expectConflict, expectCosigned, expectRecorded, expectRefused } from './conformance-case.ts';
import { expectServed, grow, monitor, oneLog, reply, type RunningWitness, submit } from './conformance-case.ts';
import { type ConformanceLog, hashChildren, makeLog, requestBody, signNote } from './conformance-log.ts';
import { checkpointText } from './conformance-log.ts';
import { REFUSALS } from './conformance-refusals.ts';
import { formatSignature, signatureLine } from './signed-note.ts';

// `logs` are the verifier keys that the witness must know before it starts: one, and two in a single case. Each case
// has logs and a witness of its own, so nothing of another case is on record.
// `beyond`: whether it counts entries beyond 2^53, as the specification lets a log have.
export function conformance(
  start: (logs: string[]) => Promise<RunningWitness>,
  { beyond = true }: { beyond?: boolean } = {},
): void {
  describe.each([
    ['cosigns', beyond ? [...COSIGNS, BEYOND] : COSIGNS],
    ['conflicts', CONFLICTS],
    ['refusals', REFUSALS],
    ['atomicity', ATOMICITY],
    ['monitors', MONITORS],
  ])('%s', (_, cases) => {
    test.each(cases.filter((_case, nth) => nth % STEP === 0))('$name', async ({ logs, run }) => {
      const witness = await start(logs);
      try {
        await run(witness);
      } finally {
        await witness.stop();
      }
    });
  });
}

const SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 70, 71, 72, 100];
const POST_QUANTUM_BYTES = 4900;

const COSIGNS: Case[] = [
  oneLog('cosigns the first checkpoint, with the time of now', async (witness, log) => {
    const before = Math.floor(Date.now() / 1000) - 1;
    const time = expectCosigned(witness, log.text(5), await submit(witness, log.request(0, 5)));
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    expect(Number(time)).toBeLessThanOrEqual(Date.now() / 1000 + 1);
  }),
  oneLog('cosigns a log that grows in steps of each shape', async (witness, log) => {
    for (const [index, old] of SIZES.slice(0, -1).entries()) await grow(witness, log, old, SIZES[index + 1]!);
  }),
  oneLog('cosigns the same checkpoint again', async (witness, log) => {
    await grow(witness, log, 0, 5);
    await grow(witness, log, 5, 5);
    await expectRecorded(witness, log, 5);
  }),
  oneLog('cosigns an empty tree twice, and the tree that grows from it', async (witness, log) => {
    await grow(witness, log, 0, 0);
    await grow(witness, log, 0, 0);
    await grow(witness, log, 0, 3);
    await expectRecorded(witness, log, 3);
  }),
  oneLog('cosigns extension lines with the rest of the text', async (witness, log) => {
    const more = { extensions: ['a line', 'größer als ASCII'] };
    const given = await submit(witness, requestBody('0', [], log.checkpoint(5, more)));
    expectCosigned(witness, log.text(5, more), given);
  }),
  oneLog('ignores signatures of unknown keys', async (witness, log) => {
    const text = log.text(5);
    const others = [
      formatSignature(log.origin, Buffer.from('00000001', 'hex'), Buffer.alloc(64, 1)),
      formatSignature(`${log.origin}/other`, log.key.id, Buffer.alloc(64, 1)),
      formatSignature('witness.example/one', Buffer.from('00000002', 'hex'), Buffer.alloc(72, 1)),
    ].join('');
    const given = await submit(witness, requestBody('0', [], `${text}\n${others}${signatureLine(log.key, text)}`));
    expectCosigned(witness, text, given);
  }),
  oneLog('accepts 16 signatures as long as post-quantum ones', async (witness, log) => {
    const text = log.text(5);
    const others = Array.from({ length: 15 }, (_, index) =>
      formatSignature(`witness.example/${index}`, Buffer.from('00000003', 'hex'), Buffer.alloc(POST_QUANTUM_BYTES, 1)),
    ).join('');
    const given = await submit(witness, requestBody('0', [], `${text}\n${others}${signatureLine(log.key, text)}`));
    expectCosigned(witness, text, given);
  }),
  named('cosigns a log whose origin is beyond ASCII', 'conformance.example/größe', async (witness, log) => {
    await grow(witness, log, 0, 5);
    await grow(witness, log, 5, 8);
    await expectServed(witness, log, log.text(8));
  }),
];

// 2^53 + 1 is the first size that a floating-point number cannot hold.
const BEYOND: Case = oneLog('counts exactly beyond 2^53', async (witness, log) => {
  const [left, leaf] = [log.root(64), log.root(1)];
  const [old, size] = [2n ** 53n, 2n ** 53n + 1n];
  const first = checkpointText(log.origin, `${old}`, left);
  expectCosigned(witness, first, await submit(witness, requestBody('0', [], signNote(log.key, first))));
  const second = checkpointText(log.origin, `${size}`, hashChildren(left, leaf));
  const grown = requestBody(`${old}`, [leaf], signNote(log.key, second));
  expectCosigned(witness, second, await submit(witness, grown));
  expectConflict(await submit(witness, grown), size);
});

const CONFLICTS: Case[] = [
  ...[
    { old: 0, size: 8, why: 'zero' },
    { old: 3, size: 8, why: 'below the recorded one' },
    { old: 7, size: 8, why: 'above the recorded one' },
    { old: 0, size: 3, why: 'zero, for an older checkpoint' },
    { old: 3, size: 3, why: 'that of an older checkpoint' },
    { old: 0, size: 0, why: 'zero, for the empty tree' },
  ].map(({ old, size, why }) =>
    oneLog(`answers 409 and the recorded size to an old size of ${why}`, async (witness, log) => {
      await grow(witness, log, 0, 5);
      expectConflict(await submit(witness, log.request(old, size)), 5);
      await expectRecorded(witness, log, 5);
    }),
  ),
  oneLog('answers 409 and zero before the first checkpoint', async (witness, log) => {
    expectConflict(await submit(witness, log.request(5, 8)), 0);
    await grow(witness, log, 0, 8);
  }),
  oneLog('refuses a proof from the empty tree with 422', async (witness, log) => {
    expectRefused(await submit(witness, requestBody('0', [log.root(5)], log.checkpoint(8))), 422);
    expectRefused(await submit(witness, requestBody('0', [log.root(5)], log.checkpoint(0))), 422);
    await grow(witness, log, 0, 5);
  }),
  oneLog('refuses an empty tree with another root with 409', async (witness, log) => {
    expectRefused(await submit(witness, requestBody('0', [], log.checkpoint(0, { root: log.root(1) }))), 409);
    await grow(witness, log, 0, 5);
  }),
  // No proof is needed here, so nothing but the length tells that this is no root.
  ...[0, 31, 33].map((length) =>
    oneLog(`refuses a first checkpoint with a root of ${length} bytes with some 4xx`, async (witness, log) => {
      const first = log.checkpoint(5, { root: Buffer.alloc(length, 1) });
      expectRefused(await submit(witness, requestBody('0', [], first)), 'any');
      await grow(witness, log, 0, 5);
    }),
  ),
  oneLog('answers 404 to an origin that it does not know, no matter who signs', async (witness, log) => {
    const unknown = makeLog(`${log.origin}/unknown`);
    expectRefused(await submit(witness, unknown.request(0, 5)), 404);
    const text = unknown.text(5);
    expectRefused(await submit(witness, requestBody('0', [], signNote(log.key, text))), 404);
  }),
  oneLog('takes nothing but a POST', async (witness, log) => {
    await grow(witness, log, 0, 5);
    const url = `${witness.url}/add-checkpoint`;
    expectRefused(await reply(await fetch(url)), 'any');
    expectRefused(await reply(await fetch(url, { method: 'PUT', body: log.request(5, 8) })), 'any');
    await expectRecorded(witness, log, 5);
  }),
];

const ATOMICITY: Case[] = [
  oneLog('cosigns one of 20 checkpoints that come at once, and tells the others of it', async (witness, log) => {
    await grow(witness, log, 0, 5);
    let recorded = 5;
    for (let round = 0; round < 4; round++) {
      const sizes = Array.from({ length: 20 }, (_, index) => recorded + 1 + index);
      const old = recorded;
      const given = await Promise.all(sizes.map((size) => submit(witness, log.request(old, size))));
      const winners = given.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      expect(winners, given.map(({ status }) => status).join(' ')).toHaveLength(1);
      const winner = winners[0] ?? 0;
      recorded = sizes[winner] ?? 0;
      expectCosigned(witness, log.text(recorded), given[winner]!);
      for (const lost of given.toSpliced(winner, 1)) expectConflict(lost, recorded);
      await expectRecorded(witness, log, recorded);
    }
  }),
  oneLog('cosigns one of two histories that come at once, ten times each', async (witness, log) => {
    await grow(witness, log, 0, 0);
    const fork = makeLog(log.origin, 'fork');
    const histories = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? log : fork));
    const given = await Promise.all(histories.map((history) => submit(witness, history.request(0, 8))));
    expect(given.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = histories[given.findIndex(({ status }) => status === 200)]!;
    const loser = winner === log ? fork : log;
    expectRefused(await submit(witness, loser.request(8, 8)), 409);
    expectRefused(await submit(witness, loser.request(8, 9)), 422);
    await grow(witness, winner, 8, 9);
  }),
  oneLog('has persisted what it cosigned when it answers', async (witness, log) => {
    await grow(witness, log, 0, 5);
    await grow(witness, log, 5, 8);
    const again = await witness.restart();
    try {
      expect(again.vkey).toBe(witness.vkey);
      await expectRecorded(again, log, 8);
      expectRefused(await submit(again, makeLog(log.origin, 'fork').request(8, 9)), 422);
      await expectServed(again, log, log.text(8));
      await grow(again, log, 8, 9);
    } finally {
      await again.stop();
    }
  }),
];

const MONITORS: Case[] = [
  oneLog('serves 404 for a log of which it never cosigned a checkpoint', async (witness, log) => {
    expect((await monitor(witness, log.origin)).status).toBe(404);
    expect((await monitor(witness, `${log.origin}/unknown`)).status).toBe(404);
    await submit(witness, log.request(5, 8));
    await submit(witness, makeLog(log.origin, 'fork').request(5, 8));
    expect((await monitor(witness, log.origin)).status).toBe(404);
  }),
  oneLog('serves the latest checkpoint with the signatures of itself and of the log', async (witness, log) => {
    await grow(witness, log, 0, 5);
    await expectServed(witness, log, log.text(5));
    await grow(witness, log, 5, 8);
    await expectServed(witness, log, log.text(8));
  }),
  oneLog('serves nothing that it refused', async (witness, log) => {
    await grow(witness, log, 0, 5);
    expectRefused(await submit(witness, makeLog(log.origin, 'fork').request(5, 8)), 422);
    await expectServed(witness, log, log.text(5));
  }),
  oneLog('serves only under the hash of the origin', async (witness, log) => {
    await grow(witness, log, 0, 5);
    const other = await fetch(`${witness.url}/${'0'.repeat(64)}/checkpoint`);
    expect((await reply(other)).status).toBe(404);
  }),
];

function named(
  name: string,
  origin: string,
  run: (witness: RunningWitness, log: ConformanceLog) => Promise<void>,
): Case {
  const log = makeLog(origin);
  return { name, logs: [log.key.vkey], run: (witness) => run(witness, log) };
}
