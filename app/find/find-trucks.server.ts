// Trucks by plate, former plate, VIN, serial and company. Plate and VIN are the plain search; the rest is one statement,
// each part of it by its own index and limit.
import { sql, type RawBuilder } from 'kysely';
import { href } from 'react-router';
import { foldName } from '#app/platform/process/typed-text.ts';
import { listHref, parseListQuery } from '#app/vehicles/list-query.ts';
import { listedRow } from '#app/vehicles/listed-vehicle.ts';
import { listVehiclesById, selectVehicles } from '#app/vehicles/list-vehicles.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { hasText } from '#app/vehicles/plates.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { normaliseSearch } from '#app/vehicles/vehicle.ts';
import { ROWS_MAX, type Asked, type Found } from './source.server.ts';

/** A trigram index needs so many characters. */
const GRAM = 3;

type Other = { id: string; why: 'plate' | 'former' | 'serial' | 'company'; words: string };

export async function findTrucks(asked: Asked): Promise<Found> {
  const { services, text, today, policy } = asked;
  const { db } = services;
  const code = normaliseSearch(text);
  const [search, others] = await Promise.all([searchVehicles(db, text, 1), findOthers(asked, code)]);
  const listed = await listVehiclesById(db, [...new Set(others.map(({ id }) => id))].slice(0, 2 * ROWS_MAX));
  const seen = new Map([...search.items, ...listed.items].map((vehicle) => [vehicle.id, vehicle]));
  const mismatched = new Set([...search.mismatched, ...listed.mismatched]);
  const rows = [...seen.values()].map((vehicle) => {
    const { id, rego } = vehicle;
    const { vin, plate, verdict, matchesLog } = listedRow(vehicle, today, { policy, mismatched });
    const other = others.find((one) => one.id === id && one.why !== 'plate');
    const isByVin = code !== '' && vin.includes(code) && !rego.includes(code);
    return {
      href: href('/vehicles/view/:rego', { rego }),
      title: plate,
      detail: isByVin ? `VIN ${vin}` : wordsOf(other),
      isExact: [plateText(rego), rego, vin].includes(code) || isWhole(other, { text, code }),
      verdict: { verdict, matchesLog },
    };
  });
  return { rows, ...rest(text, { counted: search.total, others }) };
}

// Trucks that only another part finds are in no count of the plain search, and have a list of their own.
function rest(text: string, { counted, others }: { counted: number; others: readonly Other[] }): Omit<Found, 'rows'> {
  if (counted > 0) {
    const all = listHref(parseListQuery(new URLSearchParams({ q: text })));
    return others.every(({ why }) => why === 'plate') ? { total: counted, all } : { all };
  }
  const why = (['serial', 'company'] as const).find((one) => others.some((other) => other.why === one));
  return why === undefined ? {} : { all: listHref(parseListQuery(new URLSearchParams({ [why]: text }))) };
}

const wordsOf = (other: Other | undefined): string =>
  other === undefined
    ? ''
    : `${{ plate: '', former: 'formerly ', serial: 'Serial ', company: '' }[other.why]}${other.words}`;

function isWhole(other: Other | undefined, { text, code }: { text: string; code: string }): boolean {
  if (other?.why === 'former') return plateText(other.words) === code;
  return other?.why === 'serial' && foldName(other.words) === foldName(text);
}

async function findOthers({ services: { db }, text, today, policy }: Asked, code: string): Promise<Other[]> {
  const whose = (param: 'serial' | 'company', column: RawBuilder<unknown>) => {
    const { where } = selectVehicles(parseListQuery(new URLSearchParams({ [param]: text })), today, policy);
    return sql`(select id, ${sql.lit(param)} as why, ${column} as words from vehicle where ${where} limit ${ROWS_MAX})`;
  };
  const parts = [
    ...(code === ''
      ? []
      : [
          sql`(select id, 'plate' as why, '' as words from vehicle
            where deleted_at is null and ${hasText(sql`rego`, sql`${code}`)} limit ${ROWS_MAX})`,
          sql`(select v.id, 'former' as why, f.rego as words from former_plate f join vehicle v on v.id = f.vehicle_id
            where v.deleted_at is null and split_part(f.rego, '-', 1) like ${`${code}%`} limit ${ROWS_MAX})`,
        ]),
    ...(text.length < GRAM ? [] : [whose('serial', sql`scale_serial_number`), whose('company', sql`company_name`)]),
  ];
  if (parts.length === 0) return [];
  return (await sql<Other>`${sql.join(parts, sql` union all `)}`.execute(db)).rows;
}
