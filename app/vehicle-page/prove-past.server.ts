// Makes the file that proves what was said of a truck at the end of a day.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import type { LogOfDay } from '#app/transparency-log/log-of-day.server.ts';
import { leavesAbout } from '#app/transparency-log/records-at.server.ts';
import { firstRego } from '#app/transparency-log/what-rests.server.ts';
import { formatPastProof, type PastProof } from '#app/vehicles/past-proof.ts';
import type { PastRecords } from './past-page.server.ts';

/** `log`: of that day. Throws when a published file is not what was signed. */
export async function provePast(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { vehicle, day, verdict }: PastRecords,
  { size, root, signed, head, tiles }: LogOfDay,
): Promise<string> {
  type Chain = { commitment: string; subject: PastProof['subject'] };
  const [chain] = (
    await sql<Chain>`select c.commitment, jsonb_build_object('salt', c.salt,
        'value', jsonb_build_object('vehicle', v.id, 'rego', ${firstRego(sql`v.id`, sql`v.rego`)})) as subject
      from log_chain c join vehicle v on v.id = c.vehicle_id where v.id = ${vehicle.id}`.execute(db)
  ).rows;
  const own = (await leavesAbout(db, vehicle.id)).filter(({ leaf }) => leaf.subject === chain?.commitment);
  if (chain === undefined) throw new Error('the vehicle is not in the log');
  const stated = own.findLast(({ index, leaf }) => index < size && leaf.body.restsOn !== undefined);
  const plates = await sql<NonNullable<PastProof['plate']>>`select salt, value from leaf_opening
    where field = 'plate' and leaf_index = ${stated?.index ?? -1}`.execute(db);
  const { rows } = await sql<{ index: number; entry: string }>`select index, entry from log_leaf
    where index in (select leaf_index from record_leaf where record_table = 'policy') or index in (${size - 1}, ${size})`.execute(
    db,
  );
  const next = own.filter(({ index }) => index >= size).slice(0, 1);
  const all = new Map(
    [...rows, ...own.filter(({ index }) => index < size), ...next].map(({ index, entry }) => [index, entry]),
  );
  const entries: PastProof['entries'] = [];
  for (const [index, leaf] of [...all].toSorted(([a], [b]) => a - b)) {
    if (index >= head.head.size) break;
    const hashes = await tiles.proveInclusion(index, index < size ? size : head.head.size);
    entries.push({ index, leaf, hashes: hashes.map(formatBase64) });
  }
  return formatPastProof({
    proof: 'registry-day@1',
    day,
    zone: config.timeZone,
    rego: vehicle.rego,
    verdict,
    size,
    root: formatBase64(root),
    signed: signed?.note ?? null,
    checkpoint: parseUtf8(head.note),
    consistency: (await tiles.proveConsistency(size)).map(formatBase64),
    entries,
    subject: chain.subject,
    plate: plates.rows[0] ?? null,
  });
}
