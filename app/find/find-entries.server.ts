// Entries of the public log, by their number.
import { href } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';
import type { Asked, Found } from './source.server.ts';

const NUMBER = /^(?:entry\s*)?#?(\d{1,3}(?:[, ]\d{3})*|\d{1,15})$/i;

export async function findEntries({ services: { db, config }, text }: Asked): Promise<Found> {
  const index = Number(NUMBER.exec(text)?.[1]?.replaceAll(/\D/g, '') ?? Number.NaN);
  if (Number.isNaN(index)) return { rows: [] };
  const leaf = await db.selectFrom('logLeaf').select('entry').where('index', '=', index).executeTakeFirst();
  const signed = await openLogFolder(config).readCheckpoint((await logKey(config)).verifier);
  // Only what is signed has a page.
  if (leaf === undefined || index >= (signed?.head.size ?? 0)) return { rows: [] };
  const { type, at } = parseLeaf(new TextEncoder().encode(leaf.entry));
  const row = {
    href: href('/log/entries/:index', { index: String(index) }),
    title: `Entry ${index.toLocaleString('en-AU')}`,
    detail: `${LEAF_WORDS[type]}, ${formatDay(todayIn(config.timeZone, new Date(at)))}`,
    isExact: true,
  };
  return { rows: [row] };
}
