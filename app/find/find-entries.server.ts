// Entries of the public log by their number: the one, then the newest whose number ends with the digits.
import { sql } from 'kysely';
import { href } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';
import type { Asked, Found } from './source.server.ts';

const NUMBER = /^(?:entry\s*)?#?(\d{1,3}(?:[, ]\d{3})*|\d{1,15})$/i;
const ENDING_MAX = 2;

export async function findEntries({ services: { db, config }, text }: Asked): Promise<Found> {
  const digits = NUMBER.exec(text)?.[1]?.replaceAll(/\D/g, '');
  if (digits === undefined) return { rows: [] };
  // Only what is signed has a page.
  const signed = await openLogFolder(config).readCheckpoint((await logKey(config)).verifier);
  const wanted = entriesEnding(digits, signed?.head.size ?? 0);
  const { rows } = await sql<{ index: number; entry: string }>`select index, entry from log_leaf
    where index = any(${wanted}::bigint[]) order by index = ${Number(digits)} desc, index desc`.execute(db);
  return {
    rows: rows.map(({ index, entry }) => {
      const { type, at } = parseLeaf(new TextEncoder().encode(entry));
      return {
        href: href('/log/entries/:index', { index: String(index) }),
        title: `Entry ${index.toLocaleString('en-AU')}`,
        detail: `${LEAF_WORDS[type]}, ${formatDay(todayIn(config.timeZone, new Date(at)))}`,
        isExact: index === Number(digits),
      };
    }),
  };
}

/** The number that `digits` are, and the largest below `size` that end with them. */
export function entriesEnding(digits: string, size: number): number[] {
  const step = 10 ** digits.length;
  const last = Number(digits) + Math.floor((size - 1 - Number(digits)) / step) * step;
  const ending = Array.from({ length: ENDING_MAX }, (_, place) => last - place * step);
  return [...new Set([Number(digits), ...ending])].filter((index) => index >= Number(digits) && index < size);
}
