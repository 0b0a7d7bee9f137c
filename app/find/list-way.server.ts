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
import { reportsPage, reportTab } from '#app/wrong-records/lists.server.ts';
import { STAFF_ROLES } from '#database/people-tables.ts';

type Opened = { services: Services; who: SignedIn; url: URL; asked: ListAddress };
type Records = ListPage<string> & { label: string };

const listed = <Row>(label: string, { items, ...list }: ListPage<Row>, pathOf: (row: Row) => string): Records => ({
  ...list,
  label,
  items: items.map(pathOf),
});
const ofVehicle = ({ rego }: { rego: string }) => href('/vehicles/view/:rego', { rego });
const byId = (path: string) => (row: { id: string }) => `${path}/${row.id}`;
const byEmail = (path: string) => (row: { email: string }) => `${path}/view/${emailSegment(row.email)}`;

/** By a list's path: how a page of it is read. */
const LISTS: Readonly<Record<string, (opened: Opened) => Promise<Records>>> = {
  async '/vehicles'({ services, url }) {
    const { rows: items, query, pages, total } = await vehicleListPage(services, url);
    return listed('Vehicles', { items, page: query.page, pages, total }, ofVehicle);
  },
  async '/check-visits'({ services, who, asked }) {
    return listed('Check visits', (await checkVisitsPage(services, who, asked.page)).list, ofVehicle);
  },
  async '/visits'({ services, who, url, asked }) {
    const { list } = await queuePage(services, who, { state: listedState(url.searchParams), ...asked });
    return listed('Visits', list, byId('/visits'));
  },
  async '/reports'({ services, who, url, asked }) {
    const { list } = await reportsPage(services, who.personId, { state: reportTab(url.searchParams), ...asked });
    return listed('Reports', list, byId('/reports'));
  },
  async '/patterns'({ services, url, asked }) {
    const state = FINDING_STATES.find((one) => one.state === url.searchParams.get('state'))?.state ?? 'open';
    return listed('Patterns', (await findingsPage(services, state, asked)).list, byId('/patterns'));
  },
  async '/admins'({ services: { db }, url, asked }) {
    const role = STAFF_ROLES.find((one) => one === url.searchParams.get('state')) ?? 'admin';
    return listed('Admins', await listStaff(db, role, asked), byEmail('/admins'));
  },
  '/applications': async ({ services: { db }, asked }) =>
    listed('Applications', await listApplications(db, asked), byEmail('/applications')),
  '/technicians': async ({ services: { db }, asked }) =>
    listed('Technicians', await listTechnicians(db, asked), byEmail('/technicians')),
  async '/references'({ services: { db, config, now }, asked }) {
    const today = todayIn(config.timeZone, now());
    return listed('Weighbridges', await listReferences(db, asked, today), byId('/references'));
  },
};
/** A visit is one of its list, also when a mail led to it. */
const VISIT = /^\/visits\/[\da-f-]{36}$/;

/** Null: the page at `url` was opened from no list, or from one that `who` may not open. */
export async function listWay(services: Services, who: SignedIn, url: URL): Promise<ListWay | null> {
  const from = url.searchParams.get('from') ?? (VISIT.test(url.pathname) ? '/visits' : '');
  const address = from === '' ? null : URL.parse(from, url);
  const path = address?.pathname ?? '';
  const readPage = Object.hasOwn(LISTS, path) ? LISTS[path] : undefined;
  if (address === null || readPage === undefined || !mayOpen((of) => may(who.role, of), path)) return null;
  const read = async () => ({
    ...(await readPage({ services, who, url: address, asked: parseListAddress(address.searchParams) })),
    list: path + address.search,
  });
  const { items, page, pages, total, label, list } = await read();
  const at = items.indexOf(url.pathname);
  const beside = async (by: 1 | -1): Promise<string | null> => {
    const near = items[at + by];
    if (near !== undefined) return withList(near, list);
    if (at === -1 || page + by < 1 || page + by > pages) return null;
    address.searchParams.delete('at');
    address.searchParams.set('page', String(page + by));
    const other = await read();
    const record = other.items.at(by === 1 ? 0 : -1);
    return record === undefined ? null : withList(record, other.list);
  };
  const before = page < pages ? (page - 1) * items.length : total - items.length;
  const [previous, next] = [at === -1 ? null : await beside(-1), await beside(1)];
  return { of: url.pathname, label, list, place: at === -1 ? null : before + at + 1, total, previous, next };
}
