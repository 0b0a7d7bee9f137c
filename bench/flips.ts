// npm run bench:flips: 10,000 random flips in a log of 70,000 entries, as in flips.endurance.test.ts every flip in a small one. As
// there, an audit goes on from the honest one's state before the flipped file; a hundred of them, spread over the run,
// begin at the beginning. Ends with 1 when a flip was not found.
import { randomInt } from 'node:crypto';
import { type AuditState, auditLog } from '#app/tlog/audit-log.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { parseTilePath } from '#app/tlog/tiles.ts';
import { newKey, publish, someEntries } from '#test/small-log.ts';

const [ENTRIES, FLIPS, WHOLE] = [70_000, 10_000, 100];
const key = await newKey();
const { files } = await publish(await someEntries(ENTRIES, 2), key);
const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);

const states: AuditState[] = [];
const audit = (flipped?: { name: string; bytes: Uint8Array }, from?: AuditState) =>
  auditLog({
    sha256: nodeSha256,
    readFile: async (name) => (name === flipped?.name ? flipped.bytes : files.get(name)),
    key: key.verifier,
    ...(from === undefined ? {} : { from }),
    ...(flipped === undefined ? { onBundle: (state: () => AuditState) => states.push(state()) } : {}),
  });

const started = performance.now();
const whole = await audit();
process.stdout.write(`${whole.sentence}\n${files.size} files, ${total} bytes, ${seconds(started)} for one audit.\n`);
if (whole.result !== 'proved') process.exit(1);

// What reads a file only after all bundles, a tile of a higher level that is not full, is reached from the last state.
function stateBefore(name: string): AuditState | undefined {
  const tile = parseTilePath(name);
  if (tile === undefined) return undefined;
  const leavesOfHash = tile.level === 'entries' ? 1 : 256 ** tile.level;
  const lastLeaf = (tile.index * 256 + tile.width) * leavesOfHash - 1;
  return states[Math.floor(lastLeaf / 256) - 1];
}

const flipsStarted = performance.now();
const missed: string[] = [];
for (let flip = 0; flip < FLIPS; flip += 1) {
  const { name, bytes, at } = pick(randomInt(total));
  const flipped = new Uint8Array(bytes);
  const mask = 1 << randomInt(8);
  flipped[at] = (flipped[at] ?? 0) ^ mask;
  const from = flip % (FLIPS / WHOLE) === 0 ? undefined : stateBefore(name);
  const { result } = await audit({ name, bytes: flipped }, from);
  if (result === 'proved') missed.push(`${name} at ${at}, bit ${mask}`);
}
process.stdout.write(`${FLIPS - missed.length} of ${FLIPS} flips found in ${seconds(flipsStarted)}.\n`);
for (const miss of missed) process.stdout.write(`NOT FOUND: ${miss}\n`);
process.exit(missed.length === 0 ? 0 : 1);

function pick(position: number): { name: string; bytes: Uint8Array; at: number } {
  let at = position;
  for (const [name, bytes] of files) {
    if (at < bytes.length) return { name, bytes, at };
    at -= bytes.length;
  }
  throw new Error('the position is behind the last file');
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
