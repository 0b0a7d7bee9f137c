// Archives that are sealed, and whose parts are garbled or hostile: each ends in one sentence, and nothing is restored.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFiles } from '#app/files/check-files.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { backUp, restoreAnew } from '#test/backups.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { ArchiveError, HIGH_WATER_PART, MANIFEST_PART, TOTALS_PART } from './archive.ts';
import { examineArchive } from './examine-archive.server.ts';
import { ArchiveWriter } from './write-archive.server.ts';

const run = promisify(execFile);
const HASH = createHash('sha256').update('bytes').digest('hex');
let services: TestServices;
let folder: string;
let whole: string;
beforeAll(async () => {
  services = await createTestServices();
  folder = await mkdtemp(path.join(tmpdir(), 'crafted-'));
  whole = path.join(folder, 'whole.tar');
  await backUp(services, whole);
  await run('tar', ['-xf', whole, '-C', folder]);
});
afterAll(async () => {
  await services.stop();
  await rm(folder, { recursive: true });
});

type Change = (bytes: Buffer) => Buffer | string;
/** The archive with other bytes in the parts whose names begin so, and with `more` before its totals. */
async function crafted(change: Record<string, Change>, more: Record<string, Buffer> = {}): Promise<string> {
  const file = path.join(folder, 'crafted.tar');
  await rm(file, { force: true });
  const writer = await ArchiveWriter.begin(file, new Date('2026-11-21T00:00:00Z'));
  const { stdout } = await run('tar', ['-tf', whole]);
  for (const name of stdout.trim().split('\n')) {
    if (name.startsWith('sums/') || name === 'sha256') continue;
    if (name === TOTALS_PART) for (const [other, bytes] of Object.entries(more)) await writer.add(other, bytes);
    const changed = Object.entries(change).find(([start]) => name.startsWith(start))?.[1];
    const bytes = await readFile(path.join(folder, name));
    await writer.add(name, Buffer.from(changed?.(bytes) ?? bytes));
  }
  await writer.finish();
  return file;
}
const json =
  (from: RegExp, to: string): Change =>
  (bytes) =>
    bytes.toString().replace(from, to);
const rows =
  (alter: (text: string) => string): Change =>
  (bytes) =>
    gzipSync(alter(gunzipSync(bytes).toString()));
const files = (count: number, bytes: number) =>
  json(/"count": 0,\s*"bytes": 0/, `"count": ${count}, "bytes": ${bytes}`);

/** The sentence that `npm run restore` ends with. */
async function sentenceOf(file: string): Promise<string> {
  try {
    await (await restoreAnew(file)).drop();
    return 'restored';
  } catch (error) {
    return error instanceof ArchiveError ? error.message : explainStartError(error, 'Not restored');
  }
}
const A_FILE = Buffer.from('bytes');

const CRAFTED: [what: string, says: RegExp, change: Record<string, Change>, more?: Record<string, Buffer>][] = [
  ['a path out of the store', /one of its files is none/, { [TOTALS_PART]: files(1, 5) }, { 'files/../../x': A_FILE }],
  ['an absolute path', /one of its files is none/, { [TOTALS_PART]: files(1, 5) }, { 'files//etc/x': A_FILE }],
  ['a note that is none', /its last signed note is none/, {}, { [HIGH_WATER_PART]: Buffer.from('garbled') }],
  ['a key that is none', /the log’s key in it is not the one/, {}, { 'secrets/log-key': Buffer.from('PRIVATE+KEY+x') }],
  ['a manifest that is none', /its beginning is damaged/, { [MANIFEST_PART]: () => '{"format":' }],
  ['a deep manifest', /beginning is damaged|not a backup/, { [MANIFEST_PART]: () => '['.repeat(200_000) }],
  ['a column that is not there', /the database does not take/, { [MANIFEST_PART]: json(/"leaf_size"/, '"other"') }],
  ['a table that is not there', /rows of x are missing/, { [MANIFEST_PART]: json(/"name": "vehicle"/, '"name": "x"') }],
  ['a value of another type', /the database does not take/, { 'tables/activity_state.': rows((text) => `x${text}`) }],
  ['a sequence of no table', /the database does not take/, { [TOTALS_PART]: json(/"column": "/, '"column": "no_') }],
];

test.each(CRAFTED)(
  '%s',
  async (_what, says, change, more) => {
    const sentence = await sentenceOf(await crafted(change, more));
    expect(sentence).toMatch(says);
    expect(sentence).not.toContain('\n');
  },
  30_000,
);

test('a folder, and a file that may not be read', async () => {
  const below = path.join(folder, 'a-folder');
  await mkdir(below);
  expect(await sentenceOf(below)).toBe(`${below} is not a file.`);
  if (process.getuid?.() === 0) return; // whom no rights stop
  await chmod(whole, 0o000);
  expect(await sentenceOf(whole)).toBe(`${whole} cannot be read. Check its owner.`);
  await chmod(whole, 0o600);
});

test('a file under the hash of another is a finding, before a restore and after', async () => {
  const wrong = `admins/a@site,com/${HASH.replace(/^./, HASH.startsWith('0') ? '1' : '0')}.webp`;
  const right = `admins/a@site,com/${HASH}.webp`;
  const thumbnail = `admins/a@site,com/${'0'.repeat(64)}-320.webp`;
  const put = Object.fromEntries([wrong, right, thumbnail].map((key) => [`files/${key}`, A_FILE]));
  const archive = await examineArchive(await crafted({ [TOTALS_PART]: files(3, 15) }, put), () => {});
  expect(archive.misnamed).toEqual([wrong]);
  const shown = { mediaType: 'image/webp', sha256: HASH, sourceSha256: HASH, size: 5, width: 1, height: 1 } as const;
  for (const key of [wrong, right]) {
    await services.files.put(key, A_FILE);
    await services.db
      .insertInto('storedFile')
      .values({ ...shown, storageKey: key, sourceSha256: key === right ? HASH : key.slice(18, 82) })
      .execute();
  }
  const found: string[] = [];
  await checkFiles(services, ({ key, wrong: what }) => found.push(`${what}: ${key}`));
  expect(found).toEqual([`altered: ${wrong}`]);
});
