// Trucks by plate, former plate, VIN, serial and company. Plate and VIN are the plain search; the rest is one
// statement, each part of it by its own index and limit.
import { sql } from 'kysely';
import { href } from 'react-router';
import { foldName } from '#app/platform/process/typed-text.ts';
import { FILTERS, listHref, parseListQuery } from '#app/vehicles/list-query.ts';
import { listedRow } from '#app/vehicles/listed-vehicle.ts';
import { listVehiclesById, selectVehicles } from '#app/vehicles/list-vehicles.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { hasText } from '#app/vehicles/plates.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { VEHICLES_PER_PAGE } from '#app/vehicles/queries.server.ts';
import { normaliseSearch } from '#app/vehicles/vehicle.ts';
import { hasTrigram, ROWS_MAX, type Asked, type Found } from './source.server.ts';

const WORDS = { plate: '', former: 'formerly ', serial: 'Serial ', company: '' };
type Other = { id: string; why: keyof typeof WORDS; words: string };
const listOf = (param: string, text: string) => parseListQuery(new URLSearchParams({ [param]: text }));

export async function findTrucks(asked: Asked): Promise<Found> {
  const { text, today, policy } = asked;
  const { db } = asked.services;
  const code = normaliseSearch(text);
  const [search, others] = await Promise.all([searchVehicles(db, text, 1), findOthers(asked, code)]);
  const listed = await listVehiclesById(db, [...new Set(others.map(({ id }) => id))].slice(0, VEHICLES_PER_PAGE));
  const mismatched = new Set([...search.mismatched, ...listed.mismatched]);
  const rows = [...search.items, ...listed.items].map((vehicle) => {
    const { rego, vin, verdict, matchesLog } = listedRow(vehicle, today, { policy, mismatched });
    const { why = 'plate', words = '' } = others.find(({ id }) => id === vehicle.id) ?? {};
    const isByVin = code !== '' && vin.includes(code) && !rego.includes(code);
    return {
      href: href('/vehicles/view/:rego', { rego }),
      title: rego,
      detail: isByVin ? `VIN ${vin}` : `${WORDS[why]}${words}`,
      isExact:
        [plateText(rego), vin, why === 'former' ? plateText(words) : ''].includes(code || ' ') ||
        (why === 'serial' && foldName(words) === foldName(text)),
      verdict: { verdict, matchesLog },
    };
  });
  // What only another part finds is in no count of the plain search.
  if (others.every(({ why }) => why === 'plate'))
    return { rows, total: search.total, all: listHref(listOf('q', text)) };
  const part = FILTERS.find(({ name }) => others.some(({ why }) => why === name));
  return { rows, all: listHref(listOf(search.total > 0 ? 'q' : (part?.param ?? 'q'), text)) };
}

async function findOthers({ services: { db }, text, today, policy }: Asked, code: string): Promise<Other[]> {
  const filtered = FILTERS.filter(({ name }) => name !== 'text' && hasTrigram(text)).map(
    ({ name, param, part }) => sql`union all (select id, ${sql.lit(name)} as why, ${sql.ref(part)} as words
      from vehicle where ${selectVehicles(listOf(param, text), today, policy).where} limit ${ROWS_MAX})`,
  );
  // No plate has a blank.
  const plate = sql`${code || ' '}`;
  const { rows } = await sql<Other>`select * from (
    (select id, 'plate' as why, '' as words from vehicle
      where deleted_at is null and ${hasText(sql`rego`, plate)} limit ${ROWS_MAX})
    union all (select v.id, 'former', f.rego from former_plate f join vehicle v on v.id = f.vehicle_id
      where v.deleted_at is null and split_part(f.rego, '-', 1) like ${plate} || '%' limit ${ROWS_MAX})
    ${sql.join(filtered, sql` `)}) other order by strpos('plate former serial company', why)`.execute(db);
  return rows;
}
