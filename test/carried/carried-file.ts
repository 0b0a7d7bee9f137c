// The file to carry of a vehicle, as the registry gives it, but signed as a log with this entry only: no log need be published for it.
import { badgeLeaf } from '#app/transparency-log/log-badge.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
import { utf8, type Bytes } from '#app/tlog/bytes.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { CHECKPOINT_PATH } from '#app/tlog/tiles.ts';
import { formatProofExtra, formatTlogProof } from '#app/tlog/tlog-proof.ts';
import { publish } from '#test/small-log.ts';
import { sql } from 'kysely';

/** Of the last entry that covers the vehicle's record. */
export async function carriedFile(db: Db, key: SigningKey, vehicle: { id: string; rego: string }): Promise<Bytes> {
  const { rows } = await badgeLeaf(sql`'vehicle'`, sql`${vehicle.id}`, 'last').execute(db.withoutPlugins());
  const { salt } = await db
    .selectFrom('logChain')
    .select('salt')
    .where('vehicleId', '=', vehicle.id)
    .executeTakeFirstOrThrow();
  const leaf = utf8(rows[0]?.entry ?? '');
  const { files } = await publish([leaf], key);
  const openings = new Map([['subject', { salt, value: subjectOf(vehicle) }]]);
  const checkpoint = files.get(CHECKPOINT_PATH) ?? new Uint8Array();
  const extra = formatProofExtra({ leaf, openings });
  return utf8(formatTlogProof({ index: 0, hashes: [], checkpoint, extra }));
}
