// Every byte of every file of a log of 600 entries is flipped, one at a time, and each flip must be found by the
// verifier, which has the flipped copy and the verifier key and nothing else (the lesson of CVE-2026-56865).
//
// A file is 'flipped' in one bit of a byte; which one goes through all eight. Whole audits from the beginning are run
// for every byte of the checkpoint, of the proof files and of the tiles above level 0, and for each sixteenth byte of
// the others. For the bytes between, the audit goes on from the bundle before, as it can (`from`): up to there it read
// nothing but unflipped files, and so came to the very state that the honest audit had there.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey, proofFile, publish, someEntries } from '#test/small-log.ts';
import { type AuditState, auditLog } from '#app/tlog/audit-log.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';
import { CHECKPOINT_PATH, parseTilePath } from '#app/tlog/tiles.ts';
import type { Verification } from '#app/tlog/verification.ts';
import { verifyProofFile } from '#app/tlog/verify-proof-file.ts';

const SIZE = 600;
const WHOLE_AUDIT_EVERY = 16;
const AT_A_TIME = 64;
const PROOFS = [0, 255, 511, 599];
let folder: string;
let key: VerifierKey;
const log = new Map<string, Uint8Array>();
const proofs = new Map<string, Uint8Array>();
const states: AuditState[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flips-'));
  const signer = await newKey();
  const entries = await someEntries(SIZE, 20);
  const made = await publish(entries, signer);
  for (const [name, bytes] of made.files) await write(name, bytes);
  for (const index of PROOFS) await write(`${index}.tlog-proof`, await proofFile(made, entries, index));
  // From here on there is only what is in the folder, and the key as text.
  key = await parseVerifierKey(formatVerifierKey(signer.verifier));
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const relative = path.relative(folder, path.join(name.parentPath, name.name));
    const bytes = await readFile(path.join(folder, relative));
    (relative.endsWith('.tlog-proof') ? proofs : log).set(relative.replaceAll(path.sep, '/'), bytes);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), bytes);
}

const audit = (flipped?: { name: string; bytes: Uint8Array }, from?: AuditState): Promise<Verification> =>
  auditLog({
    sha256: nodeSha256,
    readFile: async (name) => (name === flipped?.name ? flipped.bytes : log.get(name)),
    key,
    ...(from === undefined
      ? { onBundle: (state) => (flipped === undefined ? states.push(state()) : undefined) }
      : { from }),
  });

/** Flips one bit in each of the bytes in turn; the positions at which the answer was 'proved', or no answer came. */
async function undetected(
  bytes: Uint8Array,
  verify: (flipped: Uint8Array, at: number) => Promise<Verification>,
): Promise<number[]> {
  const missed: number[] = [];
  const flip = async (at: number) => {
    const flipped = new Uint8Array(bytes);
    flipped[at]! ^= 1 << (at % 8);
    if (!['tampered', 'could-not-tell'].includes((await verify(flipped, at)).result)) missed.push(at);
  };
  // WebCrypto verifies signatures on other threads: a few at a time, so that none is waited for alone.
  for (let begin = 0; begin < bytes.length; begin += AT_A_TIME)
    await Promise.all(
      Array.from({ length: Math.min(AT_A_TIME, bytes.length - begin) }, (_, offset) => flip(begin + offset)),
    );
  return missed;
}

test('the log as it is, is proved, from the beginning and from each bundle on', async () => {
  expect((await audit()).result).toBe('proved');
  expect(states.map(({ leaves }) => leaves.size)).toEqual([256, 512]);
  for (const state of states) expect((await audit(undefined, state)).result).toBe('proved');
  expect([...log.keys()].sort()).toEqual([
    'checkpoint',
    'tile/0/000',
    'tile/0/001',
    'tile/0/002.p/88',
    'tile/1/000.p/2',
    'tile/entries/000',
    'tile/entries/001',
    'tile/entries/002.p/88',
  ]);
  for (const file of proofs.values()) expect((await verifyProofFile(nodeSha256, file, { key })).result).toBe('proved');
  expect(proofs.size).toBe(PROOFS.length);
});

test('every flip in every file of the log is found', { timeout: 300_000 }, async () => {
  let flips = 0;
  for (const [name, bytes] of log) {
    const tile = parseTilePath(name);
    expect(tile !== undefined || name === CHECKPOINT_PATH, name).toBe(true);
    const before =
      tile === undefined || (tile.level !== 'entries' && tile.level > 0) ? undefined : states[tile.index - 1];
    const missed = await undetected(bytes, (flipped, at) => {
      flips += 1;
      return audit({ name, bytes: flipped }, at % WHOLE_AUDIT_EVERY === 0 ? undefined : before);
    });
    expect(missed, `${name}: undetected`).toEqual([]);
  }
  expect(flips).toBe([...log.values()].reduce((sum, bytes) => sum + bytes.length, 0));
  process.stdout.write(`${flips} flips in ${log.size} files of a log, each found.\n`);
});

test('every flip in every proof file is found, of each of the eight bits', { timeout: 120_000 }, async () => {
  let flips = 0;
  for (const [name, bytes] of proofs)
    for (let at = 0; at < bytes.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = new Uint8Array(bytes);
        flipped[at]! ^= 1 << bit;
        const { result } = await verifyProofFile(nodeSha256, flipped, { key });
        expect(result === 'tampered' || result === 'could-not-tell', `${name} at ${at}, bit ${bit}`).toBe(true);
        flips += 1;
      }
  process.stdout.write(`${flips} flips in ${proofs.size} proof files, each found.\n`);
});
