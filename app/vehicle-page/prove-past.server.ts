// Makes the file that proves what was said of a truck at the end of a day.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatBase64, parseUtf8 } from '#app/tlog/bytes.ts';
import { subjectOf } from '#app/transparency-log/draft-leaf.server.ts';
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
  const chain = await db
    .selectFrom('logChain')
    .innerJoin('vehicle', 'vehicle.id', 'logChain.vehicleId')
    .select(['logChain.salt', 'logChain.commitment', 'vehicle.id'])
    .select(firstRego(sql`vehicle.id`, sql`vehicle.rego`).as('rego'))
    .where('vehicle.id', '=', vehicle.id)
    .executeTakeFirstOrThrow();
  const own = (await leavesAbout(db, vehicle.id)).filter(({ leaf }) => leaf.subject === chain.commitment);
  const next = own.find(({ index }) => index >= size);
  const stated = own.findLast(({ index, leaf }) => index < size && leaf.body.restsOn !== undefined);
  const plate = await db
    .selectFrom('leafOpening')
    .select(['salt', 'value'])
    .where('field', '=', 'plate')
    .where('leafIndex', '=', stated?.index ?? -1)
    .executeTakeFirst();
  const { rows } = await sql<{ index: number; entry: string }>`select index, entry from log_leaf
    where index in (select leaf_index from record_leaf where record_table = 'policy') or index in (${size - 1}, ${size})`.execute(
    db,
  );
  const all = new Map(
    [...rows, ...own.filter(({ index }) => index < size), ...(next === undefined ? [] : [next])]
      .filter(({ index }) => index < head.head.size)
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, entry }) => [index, entry]),
  );
  const entries: PastProof['entries'] = [];
  for (const [index, leaf] of all) {
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
    subject: { salt: chain.salt, value: subjectOf(chain) },
    plate: plate?.salt == null ? null : { salt: plate.salt, value: opened(plate.value) },
  });
}

function opened(value: unknown): { rego: string } {
  if (typeof value !== 'object' || value === null || !('rego' in value) || typeof value.rego !== 'string')
    throw new Error('what opens a plate has no rego');
  return { ...value, rego: value.rego };
}
