// The file that proves what was said on a day verifies offline, by the program that anybody gets, and says the same as
// the page. One that was altered, or that leaves an entry out, is refused. PROOFS: how many.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { utf8 } from '#app/tlog/bytes.ts';
import { canonicalJson } from '#app/tlog/canonical-json.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { keepSignedDay, logOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { publishLog } from '#app/transparency-log/publish.server.ts';
import { readPastProof, type PastProof } from '#app/vehicles/past-proof.ts';
import { VERIFIER } from '#test/built-programs.ts';
import { openGround, runHistories, ZONE, type Ground } from '#test/past-histories.ts';
import { addTruck } from '#test/withdrawals.ts';
import { readPast } from './past-page.server.ts';
import { provePast } from './past-api.server.ts';

const PROOFS = Number(process.env['PROOFS'] ?? 12);
let ground: Ground;
let folder: string;
type Proved = { rego: string; day: string; word: string; file: string; isSigned: boolean };
const proofs: Proved[] = [];

async function publish({ kept = false }: { kept?: boolean } = {}): Promise<void> {
  const { services } = ground;
  const [key, log] = [await logKey(services.config), openLogFolder(services.config)];
  await publishLog({ db: services.db, folder: log, key });
  if (kept) await keepSignedDay(services.db, { folder: log, key: key.verifier, zone: ZONE, at: services.now() });
}

beforeAll(async () => {
  ground = await openGround();
  folder = await mkdtemp(path.join(tmpdir(), 'past-proofs-'));
  const { services } = ground;
  let nth = 0;
  const { kept } = await runHistories(ground, {
    seed: 11,
    trucks: Math.max(4, Math.ceil(PROOFS / 3)),
    days: 5,
    // Every second day was signed.
    async atEnd() {
      if ((nth += 1) % 2 === 0) await publish({ kept: true });
    },
  });
  // Each day was over: another begins.
  await addTruck(services, ground.admins[0], 'LATER1');
  await publish();
  for (const { day, rego, said } of kept.toReversed()) {
    if (proofs.length === PROOFS || typeof said === 'string') continue;
    const found = await readPast(services, rego, day);
    if ('none' in found) throw new Error(found.none);
    const log = await logOfDay(services, found);
    if (log === null) throw new Error('not signed');
    const word = /"word":"([^"]+)"/.exec(JSON.stringify(said))?.[1] ?? '';
    const file = await provePast(services, found, log);
    proofs.push({ rego, day, word, file, isSigned: log.signed !== null });
  }
}, 300_000);
afterAll(async () => {
  await ground.services.stop();
  await rm(folder, { recursive: true });
});

const reading = async (rego = '') => ({ key: (await logKey(ground.services.config)).verifier, zone: ZONE, rego });

test('the built program proves them, and says what the page said', async () => {
  expect(proofs).toHaveLength(PROOFS);
  const key = formatVerifierKey((await logKey(ground.services.config)).verifier);
  for (const { rego, day, word, file, isSigned } of proofs) {
    const name = path.join(folder, `${rego}-${day}.json`);
    await writeFile(name, file);
    const { stdout } = await promisify(execFile)(process.execPath, [
      VERIFIER,
      'day',
      name,
      '--key',
      key,
      '--rego',
      rego,
    ]);
    expect(stdout).toContain(`it said “${word}”`);
    expect(stdout).toContain(isSigned ? 'entries, signed that day.' : 'not signed that day');
  }
  expect(new Set(proofs.map(({ isSigned }) => isSigned)).size).toBe(2);
  expect(new Set(proofs.map(({ word }) => word)).size).toBeGreaterThan(1);
}, 300_000);

// Each changes what the file says in one place; undefined: this file has no such place.
const ALTERED: Record<string, (proof: PastProof) => Partial<PastProof> | undefined> = {
  day: ({ day }) => ({ day: `${day.slice(0, 8)}28` }),
  rego: () => ({ rego: 'OTHER1' }),
  verdict: ({ verdict }) => ({ verdict: verdict === 'valid' ? 'overdue' : 'valid' }),
  size: ({ size }) => ({ size: size - 1 }),
  root: ({ root }) => ({ root: `${root.startsWith('A') ? 'B' : 'A'}${root.slice(1)}` }),
  'a checkpoint of another log': ({ checkpoint }) => ({ checkpoint: checkpoint.replace(/^(.*)\n\d+\n/, '$1\n9\n') }),
  'another signed day': ({ checkpoint, signed }) => (signed === null ? undefined : { signed: checkpoint }),
  'a state': ({ entries }) => ({
    entries: entries.map((one) => ({ ...one, leaf: one.leaf.replace('"validated":true', '"validated":false') })),
  }),
  'an entry about it': ({ entries }) => {
    const own = entries.filter(({ leaf }) => leaf.includes('"subjectSeq":'));
    return own.length < 3 ? undefined : { entries: entries.filter((one) => one !== own[1]) };
  },
  'the last of the day': ({ entries, size }) => ({ entries: entries.filter(({ index }) => index !== size - 1) }),
  'the first after it': ({ entries, size }) => ({ entries: entries.filter(({ index }) => index !== size) }),
  'the order': ({ entries }) => ({ entries: entries.toReversed() }),
  subject: ({ subject }) => ({ subject: { ...subject, value: { ...subject.value, rego: 'OTHER1' } } }),
};

test.each(Object.entries(ALTERED))('one with another %s is refused', async (_, alter) => {
  let altered = 0;
  for (const { file } of proofs) {
    const proof: PastProof = JSON.parse(file);
    const change = alter(proof);
    const text = change === undefined ? file : canonicalJson({ ...proof, ...change });
    if (text === file) continue;
    altered += 1;
    const answer = await readPastProof(nodeSha256, utf8(text), await reading());
    expect(answer.result).not.toBe('proved');
  }
  expect(altered).toBeGreaterThan(0);
});

test('white space, another truck and another zone are no proof', async () => {
  const [{ file, rego } = { file: '', rego: '' }] = proofs;
  expect((await readPastProof(nodeSha256, utf8(file), await reading(rego))).result).toBe('proved');
  expect((await readPastProof(nodeSha256, utf8(`${file} `), await reading())).result).not.toBe('proved');
  expect((await readPastProof(nodeSha256, utf8(file), await reading('OTHER1'))).result).toBe('tampered');
  const elsewhere = { ...(await reading()), zone: 'UTC' };
  expect((await readPastProof(nodeSha256, utf8(file), elsewhere)).result).toBe('could-not-tell');
});
