// Where a record stands in the list that it was opened from: the list's own page is read again, and beyond its edge the
// page beside it.
import { href } from 'react-router';
import { mayOpen } from '#app/access/pages.ts';
import { may } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { listStaff } from '#app/admins/queries.server.ts';
import { listApplications } from '#app/applications/queries.server.ts';
import { checkVisitsPage } from '#app/check-visits/list-page.server.ts';
import { FINDING_STATES } from '#app/patterns/finding.ts';
import { findingsPage } from '#app/patterns/findings-page.server.ts';
import { emailSegment } from '#app/people/email-key.ts';
import type { ListPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { listReferences } from '#app/references/queries.server.ts';
import { listTechnicians } from '#app/technicians/queries.server.ts';
import { parseListAddress, withList, type ListAddress } from '#app/ui/list-address.ts';
import type { ListWay } from '#app/ui/site.ts';
import { vehicleListPage } from '#app/vehicles/vehicle-list-page.server.ts';
import { queuePage } from '#app/visit-queue/queue-page.server.ts';
import { listedState } from '#app/visit-queue/visit-filter.ts';
import { STAFF_ROLES } from '#database/people-tables.ts';

type Opened = { services: Services; who: SignedIn; url: URL; asked: ListAddress };
type Records = Pick<ListPage<string>, 'items' | 'page' | 'pages' | 'total'>;
/** `read`: a page of the paths of its records, by the list's address. A list of reports is one more row. */
type List = { path: string; label: string; read: (opened: Opened) => Promise<Records> };

const paths = <Row>({ items, ...list }: ListPage<Row>, pathOf: (row: Row) => string): Records => ({
  items: items.map(pathOf),
  page: list.page,
  pages: list.pages,
  total: list.total,
});
const ofPerson = (view: string) => (row: { email: string }) => `${view}/${emailSegment(row.email)}`;
const ofVehicle = ({ rego }: { rego: string }) => href('/vehicles/view/:rego', { rego });

const LISTS: readonly List[] = [
  {
    path: '/vehicles',
    label: 'Vehicles',
    async read({ services, url }) {
      const { rows, query, pages, total } = await vehicleListPage(services, url);
      return paths({ items: rows, page: query.page, pages, total }, ofVehicle);
    },
  },
  {
    path: '/check-visits',
    label: 'Check visits',
    read: async ({ services, who, asked }) => paths((await checkVisitsPage(services, who, asked.page)).list, ofVehicle),
  },
  {
    path: '/visits',
    label: 'Visits',
    async read({ services, who, url, asked }) {
      const { list } = await queuePage(services, who, { state: listedState(url.searchParams), ...asked });
      return paths(list, ({ id }) => href('/visits/:id', { id }));
    },
  },
  {
    path: '/patterns',
    label: 'Patterns',
    async read({ services, url, asked }) {
      const state = FINDING_STATES.find((one) => one.state === url.searchParams.get('state'))?.state ?? 'open';
      return paths((await findingsPage(services, state, asked)).list, ({ id }) => href('/patterns/:id', { id }));
    },
  },
  {
    path: '/admins',
    label: 'Admins',
    async read({ services: { db }, url, asked }) {
      const role = STAFF_ROLES.find((one) => one === url.searchParams.get('state')) ?? 'admin';
      return paths(await listStaff(db, role, asked), ofPerson('/admins/view'));
    },
  },
  {
    path: '/applications',
    label: 'Applications',
    read: async ({ services: { db }, asked }) =>
      paths(await listApplications(db, asked), ofPerson('/applications/view')),
  },
  {
    path: '/technicians',
    label: 'Technicians',
    read: async ({ services: { db }, asked }) => paths(await listTechnicians(db, asked), ofPerson('/technicians/view')),
  },
  {
    path: '/references',
    label: 'Weighbridges',
    async read({ services: { db, config, now }, asked }) {
      const list = await listReferences(db, asked, todayIn(config.timeZone, now()));
      return paths(list, ({ id }) => href('/references/:id', { id }));
    },
  },
];

/** Null: the page at `url` was opened from no list, or from one that `who` may not open. */
export async function listWay(services: Services, who: SignedIn, url: URL): Promise<ListWay | null> {
  const from = url.searchParams.get('from');
  // Of another origin only path and query are taken.
  const address = from === null ? null : URL.parse(from, url);
  const list = LISTS.find(({ path }) => path === address?.pathname);
  if (address === null || list === undefined || !mayOpen((of) => may(who.role, of), list.path)) return null;
  const read = (page?: number) => {
    if (page !== undefined) {
      address.searchParams.delete('at');
      address.searchParams.set('page', String(page));
    }
    const asked = parseListAddress(address.searchParams);
    const at = `${address.pathname}${address.search}`;
    return list.read({ services, who, url: address, asked }).then((records) => ({ ...records, at }));
  };
  const shown = await read();
  const { items, page, pages, total, at } = shown;
  const place = items.indexOf(url.pathname);
  const before = page < pages ? (page - 1) * items.length : total - items.length;
  const beside = async (by: 1 | -1): Promise<string | null> => {
    const near = items[place + by];
    if (near !== undefined) return withList(near, at);
    if (page + by < 1 || page + by > pages) return null;
    const other = await read(page + by);
    const record = other.items.at(by === 1 ? 0 : -1);
    return record === undefined ? null : withList(record, other.at);
  };
  return {
    of: url.pathname,
    label: list.label,
    list: at,
    place: place === -1 ? null : before + place + 1,
    total,
    previous: place === -1 ? null : await beside(-1),
    next: await beside(1),
  };
}
