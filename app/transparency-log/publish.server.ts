// Signs and publishes the tree as it grows, and refuses when it did anything but grow. What was signed last is noted
// outside the database, so that a database restored from an old backup, or altered, is never signed as another tree of
// a size.
//
// The order makes a crash at any point harmless: files, high-water note, checkpoint, each durable before the next. A
// tree that may have been signed is in the high-water note or was seen by nobody.
//
// Size, frontier and leaves are read in one snapshot, and the tree goes on from the published tiles rather than from
// the database. Files lie below DATA_DIR/log or in the bucket (log-storage.server.ts). On disk a lock keeps two
// publishers apart; in a bucket the notes are replaced only over the version that was read. What everyone reads at
// /log/1 and /log comes from those files, never from the database; of a tile only the widths that were signed are
// answered. When the database did anything but grow, nothing more is signed, and /log says why.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import { type Bytes, equalBytes, utf8 } from '#app/tlog/bytes.ts';
import { type Checkpoint, formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { atLastBundle, layOutLog, type LogFile } from '#app/tlog/lay-out-log.ts';
import { holds, type LogFolder, type SignedHead } from './log-folder.server.ts';
import { leafHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { type SigningKey, signNote } from '#app/tlog/sign-note.server.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { parseBundle, parseTilePath, TILE_WIDTH, tilesBetween } from '#app/tlog/tiles.ts';
import { rootOfEdge, type TreeEdge } from '#app/tlog/tree-edge.ts';
import { Tampered } from '#app/tlog/verification.ts';

/** Why nothing more is signed: the sentence is for the public. */
export class Refused extends Error {}

export type Publication = { db: Db; folder: LogFolder; key: SigningKey; signal?: AbortSignal };
/** Waits after some hundreds of entries, which took `ms`. */
export type Rest = (ms: number) => Promise<void>;
export type Round = { outcome: 'published' | 'unchanged' | 'busy'; size: number };
type Head = { size: number; root: Bytes };
type Grown = { edge: TreeEdge; size: number };

const LOCK_KEY = 5_823_179;
const KEEPALIVE_MS = 1000;
// Some milliseconds of work, in which no request is answered.
const BLOCK = TILE_WIDTH;

/** Publishes what the database has beyond what was signed. Throws Refused when it did anything but grow. */
export async function publishLog(publication: Publication): Promise<Round> {
  const { db, folder } = publication;
  const round = await folder.alone(() =>
    // The transaction is one snapshot of size, frontier and leaves; the lock ends with it, however it ends.
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => withKeepalive(tx, () => publishAlone(tx, publication))),
  );
  return round === 'busy' ? { outcome: 'busy', size: 0 } : round;
}

async function publishAlone(tx: Tx, { folder, key, signal }: Publication): Promise<Round> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK_KEY}) as mine`.execute(tx);
  if (rows[0]?.mine !== true) return { outcome: 'busy', size: 0 };
  const head = await readHead(tx);
  const { signed, highWater, shown } = await readSigned(folder, key);
  if (signed !== undefined) insistNotBehind(head, signed.head);
  else if (head.size === 0) return { outcome: 'unchanged', size: 0 };
  if (signed?.head.size === head.size) {
    const isNew = await publishNote(folder, { note: signed.note, size: head.size }, shown);
    return { outcome: isNew ? 'published' : 'unchanged', size: head.size };
  }
  const from = signed === undefined ? { edge: [], size: 0 } : await goOnFrom(tx, folder, signed.head);
  const laying = layOutLog(nodeSha256, readEntries(tx, from.size, { end: head.size, signal }), from);
  const grown = await eachFile(laying, ({ path, bytes }) => folder.writePublished(path, bytes));
  if (grown.size !== head.size || !equalBytes(await rootOfEdge(nodeSha256, grown.edge), head.root))
    throw new Refused(
      `The database’s entries ${from.size} to ${head.size - 1} do not give the tree that it kept of them: something there was changed.`,
    );
  const text = formatCheckpoint({ origin: key.verifier.name, ...head, extensions: [] });
  const note = utf8(signNote(key, text));
  // Another publisher was faster and has signed: what we made from the older state must not be shown to anybody.
  if (!(await folder.replaceHighWater(note, highWater?.version))) return { outcome: 'busy', size: 0 };
  await publishNote(folder, { note, size: head.size }, shown);
  for (const tile of tilesBetween(signed?.head.size ?? 0, head.size))
    if (tile.width === TILE_WIDTH) await folder.removePartials(tile);
  return { outcome: 'published', size: head.size };
}

type Heads = Record<'signed' | 'highWater' | 'shown', SignedHead | undefined>;

/**
 * The latest note signed, and the two that it may be. One of them may be missing, or be of the other's past, where
 * files were lost or restored.
 */
async function readSigned(folder: LogFolder, key: SigningKey): Promise<Heads> {
  const [highWater, shown] = await Promise.all([
    folder.readHighWater(key.verifier),
    folder.readCheckpoint(key.verifier),
  ]).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(`What was signed last cannot be known. ${reason}`, { cause: error });
  });
  if (highWater === undefined || shown === undefined) return { signed: highWater ?? shown, highWater, shown };
  if (highWater.head.size === shown.head.size && !equalBytes(highWater.head.root, shown.head.root))
    throw new Refused(`Two different trees of ${shown.head.size} entries were signed. This log has forked.`);
  return { signed: highWater.head.size >= shown.head.size ? highWater : shown, highWater, shown };
}

function insistNotBehind(head: Head, signed: Checkpoint): void {
  if (head.size < signed.size)
    throw new Refused(
      `The database has ${head.size} entries, but ${signed.size} were signed: it was restored from an older backup, or entries were removed.`,
    );
  if (head.size === signed.size && !equalBytes(head.root, signed.root))
    throw new Refused(`The database’s ${head.size} entries are not the ${signed.size} that were signed.`);
}

// Never replaces a later one, which another publisher may have shown meanwhile.
async function publishNote(
  folder: LogFolder,
  { note, size }: { note: Bytes; size: number },
  shown: SignedHead | undefined,
): Promise<boolean> {
  if (shown !== undefined && shown.head.size >= size) return false;
  return folder.replaceCheckpoint(note, shown?.version);
}

// The signed tree, from its own tiles, each checked against its root: what is signed next begins with it, whatever is
// in the database. The entries of the last bundle are written again, so they are compared.
async function goOnFrom(tx: Tx, folder: LogFolder, signed: Checkpoint): Promise<Grown> {
  const { edge } = await openTiles(nodeSha256, signed, async (level, index, width) => {
    const bytes = await folder.readTile({ level, index, width }, signed.size);
    if (bytes === undefined) throw new Tampered(`A published file of level ${level} is missing.`);
    return bytes;
  }).catch((error: unknown) => {
    if (error instanceof Tampered) throw new Refused(error.message, { cause: error });
    throw error;
  });
  const from = atLastBundle({ edge, size: signed.size });
  let index = from.size;
  for await (const entry of readEntries(tx, from.size, { end: signed.size })) {
    const hash = edge[0]?.[index - from.size];
    if (hash === undefined || !equalBytes(hash, await leafHash(nodeSha256, entry))) throw changedEntry(index);
    index += 1;
  }
  if (index !== signed.size) throw changedEntry(index);
  return from;
}

const changedEntry = (index: number) =>
  new Refused(`Entry ${index} in the database is not the one that was signed: it was changed.`);

/**
 * Compares every entry in the database with what was signed and every published file with the entries. Throws Refused
 * when the entries are not those; files that are missing or damaged are written again, and named in the answer. Entries
 * never change, so it takes no transaction: one that lasts minutes would keep vacuum from all that is written
 * meanwhile.
 */
export async function checkPublished(
  { db, folder, key, signal }: Publication,
  rest?: Rest,
): Promise<{ mended: string[] }> {
  const { signed } = await readSigned(folder, key);
  if (signed === undefined) return { mended: [] };
  const { size, root } = signed.head;
  insistNotBehind(await readHead(db), signed.head);
  const layOut = () => layOutLog(nodeSha256, readEntries(db, 0, { end: size, signal, rest }));
  const mended = new Set<string>();
  const tree = await eachFile(layOut(), async ({ path, bytes }) => {
    const tile = parseTilePath(path);
    if (tile === undefined || !(await holds(folder, tile, { size, bytes }))) mended.add(path);
  });
  if (tree.size !== size || !equalBytes(await rootOfEdge(nodeSha256, tree.edge), root))
    throw await firstChanged(db, folder, { size, paths: mended });
  if (mended.size > 0)
    await eachFile(layOut(), async ({ path, bytes }) => {
      if (mended.has(path)) await folder.writePublished(path, bytes);
    });
  return { mended: [...mended] };
}

// Keepalive: the database ends an idle transaction, as of a paused node; ours may be waiting for slow storage.
async function withKeepalive<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const keepalive = setInterval(() => void sql`select`.execute(tx).catch(() => {}), KEEPALIVE_MS);
  try {
    return await work();
  } finally {
    clearInterval(keepalive);
  }
}

// The first entry that differs from the published bundle.
async function firstChanged(
  db: Db,
  folder: LogFolder,
  { size, paths }: { size: number; paths: ReadonlySet<string> },
): Promise<Refused> {
  for (const path of paths) {
    const tile = parseTilePath(path);
    const bytes = tile?.level === 'entries' ? await folder.readTile(tile, size).catch(() => undefined) : undefined;
    if (tile === undefined || bytes === undefined) continue;
    const published = parseBundle(bytes, tile.width);
    const first = tile.index * TILE_WIDTH;
    let at = 0;
    for await (const entry of readEntries(db, first, { end: first + tile.width })) {
      const other = published[at];
      if (other === undefined || !equalBytes(entry, other)) return changedEntry(first + at);
      at += 1;
    }
  }
  return new Refused(`The database’s first ${size} entries are not the ${size} that were signed.`);
}

async function readHead(db: Db): Promise<Head> {
  const { leafSize, leafFrontier } = await db
    .selectFrom('activityState')
    .select(['leafSize', 'leafFrontier'])
    .executeTakeFirstOrThrow();
  const hashes = leafFrontier.map((node) => Uint8Array.from(node));
  return { size: leafSize, root: await rootOf(nodeSha256, { hashes }) };
}

/** The entries from `begin` to before `end`, some hundreds at a time. Ends early at the first that is missing. */
async function* readEntries(
  db: Db,
  begin: number,
  { end, signal, rest }: { end: number; signal?: AbortSignal | undefined; rest?: Rest | undefined },
): AsyncGenerator<Bytes> {
  for (let at = begin; at < end; at += BLOCK) {
    signal?.throwIfAborted();
    const began = performance.now();
    const leaves = await db
      .selectFrom('logLeaf')
      .select(['index', 'entry'])
      .where('index', '>=', at)
      .where('index', '<', Math.min(at + BLOCK, end))
      .orderBy('index')
      .execute();
    for (const [place, { index, entry }] of leaves.entries()) {
      if (index !== at + place) return;
      yield utf8(entry);
    }
    if (leaves.length < Math.min(BLOCK, end - at)) return;
    await rest?.(performance.now() - began);
  }
}

async function eachFile(
  laying: AsyncGenerator<LogFile, Grown>,
  take: (file: LogFile) => Promise<void>,
): Promise<Grown> {
  for (;;) {
    const step = await laying.next();
    if (step.done === true) return step.value;
    await take(step.value);
  }
}
