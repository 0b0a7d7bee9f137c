// "Find anything": all sources are asked at the same time, but those whose pages the reader may not open.
import { may, type Permission } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { askOf, nearText } from '#app/vehicles/near-regos.server.ts';
import { findEntries, findReports } from './find-by-number.server.ts';
import { findCompanies, findPeople, findWeighbridges } from './find-people.server.ts';
import { findTrucks } from './find-trucks.server.ts';
import { findTickets, findVisits } from './find-visits.server.ts';
import { SHOWN, type Asked, type FindPage, type Found, type FoundGroup } from './source.server.ts';

type Source = { group: string; of: Permission; find: (asked: Asked) => Promise<Found> };

/** In the order in which they are shown. */
const SOURCES: readonly Source[] = [
  { group: 'Companies', of: 'read people', find: findCompanies },
  { group: 'People', of: 'read people', find: findPeople },
  { group: 'Trucks', of: 'read vehicles', find: findTrucks },
  { group: 'Weighbridges', of: 'read registry', find: findWeighbridges },
  { group: 'Visits', of: 'read own visits', find: findVisits },
  { group: 'Tickets', of: 'read own visits', find: findTickets },
  { group: 'Reports', of: 'read reports', find: findReports },
  { group: 'Log entries', of: 'read registry', find: findEntries },
];

export async function findPage(services: Services, who: SignedIn, text: string): Promise<FindPage> {
  if (text === '') return { text, groups: [], none: '', near: [], ask: '' };
  const { db, config, now } = services;
  const asked = { services, who, text, today: todayIn(config.timeZone, now()), policy: await currentPolicy(db) };
  const sources = SOURCES.filter(({ of }) => may(who.role, of));
  const all = await Promise.all(sources.map(async ({ group, find }) => presentGroup(group, await find(asked))));
  const groups = all.filter(({ rows }) => rows.length > 0);
  const none = all.filter(({ rows }) => rows.length === 0).map(({ group }) => group.toLowerCase());
  return {
    text,
    groups: groups.toSorted((a, b) => Number(b.isExact) - Number(a.isExact)),
    none: none.join(', '),
    near: groups.length === 0 ? await nearText(db, text) : [],
    ask: askOf(text),
  };
}

function presentGroup(group: string, { rows: found, total, all }: Found): FoundGroup {
  // By its address, as several visits of a technician's own have one.
  const each = [...new Map(found.map((row) => [row.href, row])).values()];
  const rows = each.toSorted((a, b) => Number(b.isExact) - Number(a.isExact)).slice(0, SHOWN);
  const isCut = Math.max(each.length, total ?? 0) > rows.length;
  const counted = total === undefined ? '' : `${total.toLocaleString('en-AU')}, `;
  const count = isCut ? `${counted}the first ${rows.length}` : String(rows.length);
  return { group, rows, count, all: isCut ? (all ?? null) : null, isExact: rows.some(({ isExact }) => isExact) };
}
