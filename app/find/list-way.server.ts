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

type Opened = ListAddress & { services: Services; who: SignedIn; url: URL };
type Records = ListPage<string>;

const paths = <Row>({ items, ...list }: ListPage<Row>, pathOf: (row: Row) => string): Records => ({
  ...list,
  items: items.map(pathOf),
});
const ofPerson = (view: string) => (row: { email: string }) => `${view}/${emailSegment(row.email)}`;
const ofVehicle = ({ rego }: { rego: string }) => href('/vehicles/view/:rego', { rego });
const byId = (path: string) => (row: { id: string }) => `${path}/${row.id}`;

/** By the list's path: what it is called, and how a page of it is read. A list of reports is one more row. */
const LISTS: Readonly<Record<string, [label: string, read: (opened: Opened) => Promise<Records>]>> = {
  '/vehicles': [
    'Vehicles',
    async ({ services, url }) => {
      const { rows: items, query, pages, total } = await vehicleListPage(services, url);
      return paths({ items, page: query.page, pages, total }, ofVehicle);
    },
  ],
  '/check-visits': [
    'Check visits',
    async ({ services, who, page }) => paths((await checkVisitsPage(services, who, page)).list, ofVehicle),
  ],
  '/visits': [
    'Visits',
    async ({ services, who, url, ...asked }) =>
      paths((await queuePage(services, who, { state: listedState(url.searchParams), ...asked })).list, byId('/visits')),
  ],
  '/patterns': [
    'Patterns',
    async ({ services, url, ...asked }) => {
      const state = FINDING_STATES.find((one) => one.state === url.searchParams.get('state'))?.state ?? 'open';
      return paths((await findingsPage(services, state, asked)).list, byId('/patterns'));
    },
  ],
  '/admins': [
    'Admins',
    async ({ services: { db }, url, ...asked }) => {
      const role = STAFF_ROLES.find((one) => one === url.searchParams.get('state')) ?? 'admin';
      return paths(await listStaff(db, role, asked), ofPerson('/admins/view'));
    },
  ],
  '/applications': [
    'Applications',
    async ({ services, ...asked }) => paths(await listApplications(services.db, asked), ofPerson('/applications/view')),
  ],
  '/technicians': [
    'Technicians',
    async ({ services, ...asked }) => paths(await listTechnicians(services.db, asked), ofPerson('/technicians/view')),
  ],
  '/references': [
    'Weighbridges',
    async ({ services: { db, config, now }, ...asked }) =>
      paths(await listReferences(db, asked, todayIn(config.timeZone, now())), byId('/references')),
  ],
};

/** Null: the page at `url` was opened from no list, or from one that `who` may not open. */
export async function listWay(services: Services, who: SignedIn, url: URL): Promise<ListWay | null> {
  const address = URL.parse(url.searchParams.get('from') ?? '', url);
  const path = address?.pathname ?? '';
  const list = Object.hasOwn(LISTS, path) ? LISTS[path] : undefined;
  if (address === null || list === undefined || !mayOpen((of) => may(who.role, of), path)) return null;
  const [label, readPage] = list;
  const read = async () => ({
    ...(await readPage({ services, who, url: address, ...parseListAddress(address.searchParams) })),
    at: `${path}${address.search}`,
  });
  const { items, page, pages, total, at } = await read();
  const place = items.indexOf(url.pathname);
  const beside = async (by: 1 | -1): Promise<string | null> => {
    const near = items[place + by];
    if (near !== undefined) return withList(near, at);
    if (place === -1 || page + by < 1 || page + by > pages) return null;
    address.searchParams.delete('at');
    address.searchParams.set('page', String(page + by));
    const other = await read();
    const record = other.items.at(by === 1 ? 0 : -1);
    return record === undefined ? null : withList(record, other.at);
  };
  const before = page < pages ? (page - 1) * items.length : total - items.length;
  return {
    of: url.pathname,
    label,
    list: at,
    place: place === -1 ? null : before + place + 1,
    total,
    previous: place === -1 ? null : await beside(-1),
    next: await beside(1),
  };
}
