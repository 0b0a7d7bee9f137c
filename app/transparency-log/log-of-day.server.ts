// The log at the end of a day: how many entries it had by their times, the root of these, and whether they were signed
// that day. What was not is proved all the same: every tree that was signed later begins with them.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { equalBytes, utf8 } from '#app/tlog/bytes.ts';
import { openCheckpoint } from '#app/tlog/checkpoint.ts';
import type { VerifierKey } from '#app/tlog/signed-note.ts';
import { openLogFolder, type LogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import type { PastDay } from './past-day.server.ts';
import { tilesOf } from './prove-record.server.ts';

export type LogOfDay = NonNullable<Awaited<ReturnType<typeof logOfDay>>>;

/** Null: no tree that reaches so far is signed yet. `head`: the newest signed. */
export async function logOfDay({ db, config }: Pick<Services, 'db' | 'config'>, { day, size }: PastDay) {
  const folder = openLogFolder(config);
  const { verifier } = await logKey(config);
  const head = await folder.readCheckpoint(verifier);
  if (head === undefined || size === 0 || head.head.size < size) return null;
  const tiles = await tilesOf(folder, head);
  const root = await tiles.rootAt(size);
  const last = db.selectFrom('signedDay').selectAll().where('day', '<=', day).orderBy('day', 'desc').limit(1);
  const stored = await last.executeTakeFirst();
  const then = stored && (await openCheckpoint(utf8(stored.note), verifier).catch(() => undefined));
  // That day or before, with nothing logged between.
  const isOfRoot = then?.size === size && equalBytes(then.root, root);
  return { size, root, signed: stored && isOfRoot ? { note: stored.note, at: stored.signedAt } : null, head, tiles };
}

/** Keeps the newest checkpoint as the last one of its day. */
export async function keepSignedDay(
  db: Db,
  { folder, key, zone, at }: { folder: LogFolder; key: VerifierKey; zone: string; at?: Date },
): Promise<void> {
  const [shown, signedAt] = [await folder.readCheckpoint(key), at ?? (await folder.signedAt())];
  if (shown === undefined || signedAt === undefined) return;
  const note = Buffer.from(shown.note).toString();
  const row = { day: todayIn(zone, signedAt), size: shown.head.size, note, signedAt };
  await db
    .insertInto('signedDay')
    .values(row)
    .onConflict((on) => on.column('day').doUpdateSet(row).where('signedDay.size', '<=', row.size))
    .execute();
}
