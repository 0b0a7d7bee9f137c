// The log at the end of a day: how many entries it had by their times, the root of these, and whether they were signed
// that day. What was not is proved all the same: every tree that was signed later begins with them.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, instantOf, instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { equalBytes, utf8, type Bytes } from '#app/tlog/bytes.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import type { TileReader } from '#app/tlog/tile-reader.ts';
import { openLogFolder, type SignedHead } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { tilesOf } from './prove-record.server.ts';

/** The day on which the log began, null before its first entry, and how many entries it had at the end of `day`. */
export async function sizeOnDay(
  { db, config }: Pick<Services, 'db' | 'config'>,
  day: string,
): Promise<{ beganOn: string | null; size: number }> {
  const end = instantOfDay(addDays(day, 1), config.timeZone).toISOString();
  // Entries are in the order of their times, which all have one form.
  const { rows } = await sql<{ began: string | null; size: number }>`
    with recursive search (low, high) as (
      select 0::bigint, leaf_size from activity_state
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
      from (select low, high, middle, l.entry::jsonb ->> 'at' < ${end} as is_before
        from search cross join lateral (select (low + high) / 2 as middle) m join log_leaf l on l.index = middle
        where low < high) halved)
    select low as size, (select entry::jsonb ->> 'at' from log_leaf where index = 0) as began from search where low = high`.execute(
    db,
  );
  const { began = null, size = 0 } = rows[0] ?? {};
  return { beganOn: began === null ? null : todayIn(config.timeZone, instantOf(began)), size };
}

/** `signed`: that day or before, with nothing logged between; null: not signed that day. `head`: the newest signed. */
export type LogOfDay = {
  size: number;
  root: Bytes;
  signed: { note: string; at: Date } | null;
  head: SignedHead;
  tiles: TileReader;
};

/** Null: no tree that reaches so far is signed yet. */
export async function logOfDay(
  { db, config }: Pick<Services, 'db' | 'config'>,
  day: string,
  size: number,
): Promise<LogOfDay | null> {
  const folder = openLogFolder(config);
  const { verifier } = await logKey(config);
  const head = await folder.readCheckpoint(verifier);
  if (head === undefined || size === 0 || head.head.size < size) return null;
  const tiles = await tilesOf(folder, head);
  const root = await tiles.rootAt(size);
  const stored = await db
    .selectFrom('signedDay')
    .selectAll()
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isOfRoot =
    stored !== undefined &&
    (await openCheckpoint(utf8(stored.note), verifier).then(
      (of) => of.size === size && equalBytes(of.root, root),
      () => false,
    ));
  return { size, root, signed: isOfRoot ? { note: stored.note, at: stored.signedAt } : null, head, tiles };
}

/** Keeps a checkpoint as the last one of its day. */
export async function keepSignedDay(
  db: Db,
  { note, size, at, zone }: { note: Bytes; size: number; at: Date; zone: string },
): Promise<void> {
  const row = { day: todayIn(zone, at), size, note: Buffer.from(note).toString(), signedAt: at };
  await db
    .insertInto('signedDay')
    .values(row)
    .onConflict((on) => on.column('day').doUpdateSet(row).where('signedDay.size', '<=', size))
    .execute();
}
