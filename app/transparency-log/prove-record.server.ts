// The proof file of a record (c2sp.org/tlog-proof): with it anyone verifies offline, for ever, that the leaf which
// covers it is in the signed log, and what its public commitments mean.
import { sql } from 'kysely';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { subjectOf } from './draft-leaf.server.ts';
import type { Bytes } from '#app/tlog/bytes.ts';
import { commit, type Opening } from '#app/tlog/commitment.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { type LogFolder, openLogFolder, type SignedHead } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { findLeaf } from './queries.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';
import { firstRego } from './what-rests.server.ts';
import { witnessPolicy } from './witness-policy.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { openTiles, type TileReader } from '#app/tlog/tile-reader.ts';
import { parseBundle, TILE_WIDTH, widthAt } from '#app/tlog/tiles.ts';
import { formatProofExtra, formatTlogProof, type ProofExtra } from '#app/tlog/tlog-proof.ts';

/** `waiting`: its leaf is not signed yet, or the record is older than the log and not entered yet. */
export type RecordProof = { state: 'proved'; index: number; file: string } | { state: 'waiting' };

// Private fields are never opened here: `rest` holds every stored column.
const PUBLIC_FIELDS = ['people.technician', 'plate'] as const;

/** Of a record's first leaf, or its last. Throws when a published file is not what was signed. */
export async function proveRecord(
  { db, config }: { db: Db; config: Config },
  ref: RecordRef,
  which: 'first' | 'last',
): Promise<RecordProof> {
  return prove(config, await findLeaf(db, ref, which), (leaf) => publicOpenings(db, leaf));
}

/** Of the entry with this index, opening nothing: what its vehicle is, or who recorded it, stays unreadable. */
export function proveEntry({ config }: { config: Config }, index: number): Promise<RecordProof> {
  return prove(config, index, async () => new Map());
}

async function prove(
  config: Config,
  index: number | undefined,
  openingsOf: (leaf: PublishedLeaf) => Promise<ProofExtra['openings']>,
): Promise<RecordProof> {
  const folder = openLogFolder(config);
  const signed = index === undefined ? undefined : await headWith(config, folder, index);
  if (index === undefined || signed === undefined) return { state: 'waiting' };
  const leaf = await publishedLeaf(folder, index, signed.head.size);
  return {
    state: 'proved',
    index,
    file: await proofFile(folder, signed, { ...leaf, openings: await openingsOf(leaf) }),
  };
}

// The newest witnessed checkpoint where the entry is in it, else the newest; undefined: it is not signed yet.
async function headWith(config: Config, folder: LogFolder, index: number): Promise<SignedHead | undefined> {
  const { verifier } = await logKey(config);
  const witnessed = (await witnessPolicy(config)) === undefined ? undefined : await folder.readWitnessed(verifier);
  if (witnessed !== undefined && index < witnessed.head.size) return witnessed;
  const signed = await folder.readCheckpoint(verifier);
  return signed !== undefined && index < signed.head.size ? signed : undefined;
}

/** Reads the published tree. Throws when a file is missing, or not what was signed. */
export const tilesOf = (folder: LogFolder, { head }: SignedHead): Promise<TileReader> =>
  openTiles(nodeSha256, head, async (level, index, width) =>
    required(await folder.readTile({ level, index, width }, head.size)),
  );

async function proofFile(
  folder: LogFolder,
  signed: SignedHead,
  { index, bytes: leaf, openings }: { openings: ProofExtra['openings'] } & PublishedLeaf,
): Promise<string> {
  const hashes = await (await tilesOf(folder, signed)).proveInclusion(index);
  return formatTlogProof({ index, hashes, checkpoint: signed.note, extra: formatProofExtra({ leaf, openings }) });
}

type PublishedLeaf = { index: number; bytes: Bytes };

/** An entry below `size`, as it was published. */
export async function publishedLeaf(folder: LogFolder, index: number, size: number): Promise<PublishedLeaf> {
  const bundle = Math.floor(index / TILE_WIDTH);
  const width = widthAt(size, 'entries', bundle);
  const bytes = required(await folder.readTile({ level: 'entries', index: bundle, width }, size));
  return { index, bytes: Uint8Array.from(required(parseBundle(bytes, width)[index % TILE_WIDTH])) };
}

async function publicOpenings(db: Db, { index, bytes }: PublishedLeaf): Promise<Map<string, Opening>> {
  const openings = new Map<string, Opening>();
  const kept = await db
    .selectFrom('leafOpening')
    .select(['field', 'salt', 'value'])
    .where('leafIndex', '=', index)
    .where('field', 'in', PUBLIC_FIELDS)
    .where('erasedAt', 'is', null)
    .execute();
  for (const { field, salt, value } of kept) if (salt !== null) openings.set(field, { salt, value });
  const { subject } = parseLeaf(bytes);
  const chain =
    subject === undefined
      ? undefined
      : await db
          .selectFrom('logChain')
          .innerJoin('vehicle', 'vehicle.id', 'logChain.vehicleId')
          .select(['logChain.salt', 'vehicle.id'])
          .select(firstRego(sql`vehicle.id`, sql`vehicle.rego`).as('rego'))
          .where('logChain.commitment', '=', subject)
          .executeTakeFirst();
  if (chain === undefined) return openings;
  const opening = { salt: chain.salt, value: subjectOf(chain) };
  // The commitment was made when the vehicle was first logged.
  if ((await commit(nodeSha256, 'subject', opening)) === subject) openings.set('subject', opening);
  return openings;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a file of the signed log is missing');
  return value;
}
