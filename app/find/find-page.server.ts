// "Find anything": each source is asked at the same time, and none for whom its pages are not.
import { may, type Permission } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { askOf, nearText } from '#app/vehicles/near-regos.server.ts';
import { findEntries } from './find-entries.server.ts';
import { findCompanies, findPeople, findWeighbridges } from './find-people.server.ts';
import { findTrucks } from './find-trucks.server.ts';
import { findTickets, findVisits } from './find-visits.server.ts';
import { GROUPS, type FindPage, type FoundGroup, type Group } from './find.ts';
import { SHOWN, type Asked, type Found } from './source.server.ts';

type Source = { group: Group; of: Permission; find: (asked: Asked) => Promise<Found> };

/** One source a group. The next is reports, by their number. */
const SOURCES: readonly Source[] = [
  { group: 'trucks', of: 'read vehicles', find: findTrucks },
  { group: 'people', of: 'read people', find: findPeople },
  { group: 'companies', of: 'read people', find: findCompanies },
  { group: 'weighbridges', of: 'read registry', find: findWeighbridges },
  { group: 'visits', of: 'read own visits', find: findVisits },
  { group: 'tickets', of: 'read own visits', find: findTickets },
  { group: 'entries', of: 'read registry', find: findEntries },
];

export async function findPage(services: Services, who: SignedIn, text: string): Promise<FindPage> {
  if (text === '') return { text, groups: [], none: '', near: [], ask: '' };
  const { db, config, now } = services;
  const policy = await currentPolicy(db);
  const asked = { services, who, text, today: todayIn(config.timeZone, now()), policy };
  const sources = SOURCES.filter(({ of }) => may(who.role, of));
  const found = new Map(await Promise.all(sources.map(async ({ group, find }) => [group, await find(asked)] as const)));
  const groups = GROUPS.flatMap(({ group, label }) => {
    const answer = found.get(group);
    return answer === undefined ? [] : [presentGroup({ group, label }, answer)];
  });
  const filled = groups.filter(({ rows }) => rows.length > 0);
  const hasExact = ({ rows }: FoundGroup) => rows.some(({ isExact }) => isExact);
  return {
    text,
    groups: filled.toSorted((a, b) => Number(hasExact(b)) - Number(hasExact(a))),
    none: groups
      .filter(({ rows }) => rows.length === 0)
      .map(({ label }, place) => (place === 0 ? label : label.toLowerCase()))
      .join(', '),
    near: filled.length === 0 ? await nearText(db, text) : [],
    ask: askOf(text),
  };
}

function presentGroup(named: Pick<FoundGroup, 'group' | 'label'>, { rows, total, all }: Found): FoundGroup {
  const each = [...new Map(rows.map((row) => [row.href, row])).values()];
  const sorted = each.toSorted((a, b) => Number(b.isExact) - Number(a.isExact));
  const shown = sorted.slice(0, SHOWN);
  const isCut = each.length > shown.length || (total ?? 0) > shown.length;
  const counted = total === undefined ? '' : `${total.toLocaleString('en-AU')}, `;
  return {
    ...named,
    rows: shown,
    count: isCut ? `${counted}the first ${shown.length}` : String(shown.length),
    all: isCut ? (all ?? null) : null,
  };
}
