// The files to carry of many vehicles, as the registry gives them, but signed as a log with their entries only: no log
// need be published for them, and its head is signed once.
import { badgeLeaf, type BadgeLeaf } from '#app/transparency-log/log-badge.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
import { utf8, type Bytes } from '#app/tlog/bytes.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { CHECKPOINT_PATH, tilePath } from '#app/tlog/tiles.ts';
import { formatProofExtra, formatTlogProof } from '#app/tlog/tlog-proof.ts';
import { publish } from '#test/small-log.ts';
import { sql } from 'kysely';

/** By rego, of the last entry that covers each live vehicle's record. */
export async function carriedFiles(db: Db, key: SigningKey): Promise<Map<string, Bytes>> {
  const { rows } = await sql<{ id: string; rego: string; salt: string; badge: BadgeLeaf }>`
    select v.id, v.rego, c.salt, (select row_to_json(b) from (${badgeLeaf(sql`'vehicle'`, sql`v.id::text`, 'last')}) b) as badge
    from vehicle v join log_chain c on c.vehicle_id = v.id where v.deleted_at is null order by v.rego`.execute(db);
  const { files, head } = await publish(
    rows.map(({ badge }) => utf8(badge.entry)),
    key,
  );
  const file = (path: string): Bytes => files.get(path) ?? new Uint8Array();
  const tiles = await openTiles(nodeSha256, head, async (level, index, width) =>
    file(tilePath({ level, index, width })),
  );
  const carried = new Map<string, Bytes>();
  for (const [index, { salt, badge, ...vehicle }] of rows.entries()) {
    const openings = new Map([['subject', { salt, value: subjectOf(vehicle) }]]);
    const extra = formatProofExtra({ leaf: utf8(badge.entry), openings });
    const hashes = await tiles.proveInclusion(index);
    carried.set(vehicle.rego, utf8(formatTlogProof({ index, hashes, checkpoint: file(CHECKPOINT_PATH), extra })));
  }
  return carried;
}
