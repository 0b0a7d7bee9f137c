// Reports that a record is wrong, by their number or their truck; entries of the public log, by their number.
import { sql } from 'kysely';
import { href } from 'react-router';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';
import { listAddress } from '#app/ui/list-address.ts';
import { fitsText, presentRow } from '#app/wrong-records/lists.server.ts';
import { listReports } from '#app/wrong-records/queries.server.ts';
import { joined, ROWS_MAX, type Asked, type Found } from './source.server.ts';

/** Fewer characters would fit nearly every number. */
const TEXT_MIN = 3;

export async function findReports({ services, text }: Asked): Promise<Found> {
  const isShort = text.replaceAll(/[^A-Za-z0-9]/g, '').length < TEXT_MIN;
  if (isShort) return { rows: [] };
  // Nobody reads one before its address is confirmed.
  const where = sql`r.state <> 'received' and ${fitsText(text)}`;
  const found = await listReports(services.db, where, sql`order by r.number desc limit ${ROWS_MAX}`);
  const rows = found.map((report) => {
    const { id, number, name, kind, state } = presentRow(services, report);
    return {
      href: href('/reports/:id', { id }),
      title: number,
      detail: joined(name, kind, state),
      isExact: number === text.toUpperCase(),
    };
  });
  return { rows, all: listAddress('/reports', { text, page: 1 }) };
}

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
