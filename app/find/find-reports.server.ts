// Reports that a record is wrong: by their number, or by their truck.
import { sql } from 'kysely';
import { href } from 'react-router';
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
