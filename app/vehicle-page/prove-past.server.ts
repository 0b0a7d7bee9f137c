// Makes the file that proves what was said of a truck at the end of a day.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { canonicalJson } from '#app/tlog/canonical-json.ts';
import type { LogOfDay } from '#app/transparency-log/log-of-day.server.ts';
import type { PastProof } from '#app/vehicles/past-proof.ts';
import type { PastRecords } from './past-page.server.ts';

/** `log`: of that day. Throws when a published file is not what was signed. */
export async function provePast(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { vehicle, day, verdict }: PastRecords,
  { size, root, signed, head, tiles }: LogOfDay,
): Promise<string> {
  type Found = Pick<PastProof, 'subject' | 'plate'> & { entries: { index: number; leaf: string }[] };
  const found = db.selectNoFrom(sql<Found>`past_entries(${vehicle.id}::uuid, ${size}::bigint)`.as('proof'));
  const { subject, plate, entries: needed } = (await found.executeTakeFirstOrThrow()).proof;
  const entries: PastProof['entries'] = [];
  for (const { index, leaf } of needed.filter((entry) => entry.index < head.head.size)) {
    const hashes = await tiles.proveInclusion(index, index < size ? size : head.head.size);
    entries.push({ index, leaf, hashes: hashes.map(formatBase64) });
  }
  const proof: PastProof = {
    proof: 'registry-day@1',
    ...{ day, zone: config.timeZone, rego: vehicle.rego, verdict, size, root: formatBase64(root) },
    signed: signed?.note ?? null,
    checkpoint: parseUtf8(head.note),
    consistency: (await tiles.proveConsistency(size)).map(formatBase64),
    ...{ entries, subject, plate },
  };
  return canonicalJson(proof);
}
