// The table of pages: for each pattern in app/routes.ts, who may open the page, whether its form takes files, whether
// its response is cached, and whether its data comes from the replica. Used by the guard, the body limits
// (server/body-size.ts), the response cache and the choice of database (server/pages.ts). A page without a row does not
// compile, and is refused at run time.
import type { href } from 'react-router';
import { topicsOfReadingPage, topicsOfVehiclePage, type Topic } from '#app/activity-log/topic.ts';
import type { Permission } from './permissions.ts';

/**
 * HEAD counts as GET. A method that is not listed is answered 405. The GET of a page that is only a form needs the
 * permission of its POST.
 */
export type Page = {
  GET?: Permission;
  POST?: Permission;
  /** What its GET also writes, with the permission of those for whom it does: for nobody else. */
  notes?: { what: string; of: Permission };
  /** To read it also keeps what its check of the records against the public log found, no matter who asks. */
  keepsFindings?: true;
  /** The form takes files: a larger body is allowed, and none of it is read before the guard has allowed the sender. */
  uploads?: true;
  /** The form takes a list of trucks, or a few files of anybody: more than fields, and less than `uploads`. */
  list?: true;
  /**
   * Visitors without a session read from the replica. Such a page shows public data only, and its GET writes nothing
   * but `keepsFindings`, which the replica leaves to the next look.
   */
  replica?: true;
  cached?: Cached;
  /**
   * To make it costs many times what a search does: few are made at a time (server/dear-answers.ts). `waits`: more
   * of them, and many more wait for their turn, as everybody needs it.
   */
  dear?: true | 'waits';
};

/**
 * Cached until the current minute ends or a write concerns one of `tags`, under the values of `query`. With a parameter
 * of `uncached` it is not cached. The page reads no others.
 */
export type Cached = {
  tags: (params: Readonly<Record<string, string>>) => readonly Topic[];
  query: readonly string[];
  uncached?: readonly string[];
};

const READ = { GET: 'read registry' } as const;
const READ_PUBLIC = { ...READ, replica: true } as const;
const READ_RECORDS = { ...READ_PUBLIC, keepsFindings: true } as const;
const SIGN = { GET: 'sign in and out', POST: 'sign in and out' } as const;
const FOLLOW = { GET: 'follow vehicles', POST: 'follow vehicles' } as const;
const FOLLOWED_LIST = { ...FOLLOW, keepsFindings: true, list: true } as const;
const REPORT = { GET: 'report records', POST: 'report records' } as const;
const OWN = { GET: 'change own account', POST: 'change own account' } as const;
const READ_VEHICLES = { GET: 'read vehicles' } as const;
const VEHICLES = { GET: 'change vehicles', POST: 'change vehicles' } as const;
const REMOVE = { GET: 'remove vehicles', POST: 'remove vehicles' } as const;
const RECORD = { GET: 'record visits', POST: 'record visits' } as const;
const DECIDE = { GET: 'decide visits', POST: 'decide visits' } as const;
const READ_PEOPLE = { GET: 'read people' } as const;
const PEOPLE = { GET: 'change people', POST: 'change people' } as const;
const WEIGHBRIDGES = { GET: 'change weighbridges', POST: 'change weighbridges' } as const;

// Converting volts puts the number into the address, under the name of the axle group.
const TRAILER_GROUPS = ['a', 'b', 'c', 'd'].map((letter) => `trailer${letter}`);
const DOLLIES = ['a', 'b', 'c'].map((letter) => `dolly${letter}`);
const VEHICLE_PAGE_UNCACHED = ['steer', 'drive', ...TRAILER_GROUPS, ...DOLLIES, 'front', 'rear', 'history', 'on'];

const EACH = {
  '/': { ...READ_RECORDS, cached: { tags: () => ['vehicles'], query: ['q', 'page'] } },
  '/search': { ...READ_RECORDS, cached: { tags: () => ['vehicles'], query: ['q', 'page'] } },
  '/about': { ...READ_PUBLIC, cached: { tags: () => ['policy'], query: [] } },
  '/method': { ...READ_PUBLIC, cached: { tags: () => ['policy'], query: [] } },
  '/contact': { ...READ, cached: { tags: () => [], query: [] } },
  // Its POST is a question too, with a list that no address could hold.
  '/check': { ...READ, POST: 'read registry', keepsFindings: true, list: true },
  '/check/follow': { ...FOLLOW, list: true },
  '/check/:file': { POST: 'read registry', keepsFindings: true, list: true },
  '/combination': READ_RECORDS,
  '/combination/:file': { ...READ, keepsFindings: true, dear: true },
  '/log': READ_PUBLIC,
  '/log/witnesses': READ,
  '/log/entries/:index': READ,
  '/vehicles/view/:rego': {
    ...READ_RECORDS,
    POST: 'record visits',
    cached: {
      // One of several with its text is also shown under the text with its state.
      tags: ({ rego = '' }) => [...topicsOfVehiclePage(rego), `vehicle:${rego.split('-', 1)[0] ?? ''}`],
      query: ['image', 'state', 'was'],
      uncached: VEHICLE_PAGE_UNCACHED,
    },
    dear: 'waits',
  },
  '/vehicles/on/:day/:rego': {
    ...READ_PUBLIC,
    cached: { tags: ({ rego = '' }) => topicsOfVehiclePage(rego), query: [] },
    dear: 'waits',
  },
  // Not from the replica: when it was checked is kept too.
  '/vehicles/history/:rego': {
    ...READ,
    keepsFindings: true,
    cached: { tags: ({ rego = '' }) => topicsOfVehiclePage(rego), query: ['page'] },
    dear: true,
  },
  '/calibrations/:rego/:id': {
    ...READ_RECORDS,
    cached: { tags: ({ rego = '' }) => topicsOfReadingPage(rego), query: [] },
  },
  '/calibrated-by/:personId': { ...READ_PUBLIC, cached: { tags: () => ['vehicles', 'recorders'], query: [] } },
  '/vehicles/report/:file': { ...READ, keepsFindings: true, dear: true },
  '/calibrations/report/:rego/:file': { ...READ, keepsFindings: true, dear: true },
  '/vehicles/follow/:rego': FOLLOW,
  '/following/:token': FOLLOWED_LIST,
  '/following/:token/end': FOLLOW,
  '/follow/confirm/:token': FOLLOWED_LIST,
  '/follow/leave/:token': FOLLOW,
  '/follow/mine/:token': FOLLOW,
  '/lists/:token': FOLLOWED_LIST,
  '/lists/:token/end': FOLLOW,
  '/reports/new': { ...REPORT, list: true },
  '/reports/r/:token': { ...REPORT, list: true },
  '/reports/r/:token/files/:file': { GET: 'report records' },
  '/reports/mine': REPORT,
  '/reports/mine/:token': REPORT,
  '/reports/counts': READ,
  '/reports': { GET: 'read reports' },
  '/reports/:id': { GET: 'read reports', POST: 'decide reports' },
  '/reports/:id/files/:file': { GET: 'read reports' },
  '/my-reports/:id': { GET: 'read own visits', POST: 'record visits', list: true },
  '/my-reports/:id/files/:file': { GET: 'read own visits' },
  '/tech-register': { GET: 'read registry', POST: 'request registration' },
  '/login': SIGN,
  '/tech-login': SIGN,
  '/second-factor': SIGN,
  '/reset': SIGN,
  '/reset/:token': SIGN,
  '/setup': SIGN,
  '/logout': SIGN,
  '/dashboard': READ_VEHICLES,
  '/find': { ...READ_VEHICLES, keepsFindings: true },
  '/vehicles': { ...READ_VEHICLES, keepsFindings: true },
  '/vehicles.csv': READ_VEHICLES,
  '/vehicles/label/:file': { ...READ, dear: true },
  '/vehicles/labels.pdf': READ_VEHICLES,
  '/vehicles/kept': { GET: 'keep lists', POST: 'keep lists' },
  '/vehicles/import': { GET: 'import vehicles', POST: 'import vehicles', list: true },
  '/vehicles/import/left-out.csv': { POST: 'import vehicles', list: true },
  '/vehicles/new': { ...VEHICLES, uploads: true },
  '/vehicles/new/:rego': { ...VEHICLES, uploads: true },
  '/vehicles/update/:rego': { ...VEHICLES, uploads: true },
  '/vehicles/validate/:rego': { GET: 'validate vehicles', POST: 'validate vehicles' },
  '/vehicles/plate/:rego': VEHICLES,
  '/vehicles/plates/:id': { GET: 'decide plates', POST: 'decide plates' },
  '/vehicles/vins': { GET: 'read removed vehicles', POST: 'join vehicles' },
  '/vehicles/vins/:vin': { GET: 'read removed vehicles', POST: 'join vehicles' },
  '/vehicles/delete/:rego': REMOVE,
  '/vehicles/removed': { GET: 'read removed vehicles', POST: 'remove vehicles' },
  '/vehicles/calibrate/:rego': { ...RECORD, uploads: true },
  '/vehicles/calibrate/:rego/preview': { GET: 'record visits' },
  // The same for everyone: a phone keeps it.
  '/field': READ,
  '/field/data': { GET: 'record visits', keepsFindings: true },
  '/field/visits': { POST: 'record visits' },
  '/visits': { GET: 'read visits' },
  '/visits/alike': { GET: 'read visits', POST: 'decide visits' },
  '/visits/taken-over': { GET: 'read visits', POST: 'decide visits' },
  '/visits/:id': { GET: 'read visits', POST: 'decide visits' },
  '/visits/:id/match': DECIDE,
  '/visits/:id/hide-photo': DECIDE,
  '/visits/:id/check': { GET: 'ask for check visits', POST: 'ask for check visits' },
  '/check-visits': { GET: 'read check visits' },
  '/patterns': { GET: 'read patterns' },
  '/patterns/:id': {
    GET: 'read patterns',
    POST: 'decide patterns',
    notes: { what: 'who looked', of: 'decide patterns' },
  },
  '/patterns/method': { ...READ, cached: { tags: () => [], query: [] }, dear: true },
  '/my-patterns': { GET: 'read own visits' },
  '/my-patterns/:id': { GET: 'read own visits', POST: 'record visits' },
  '/calibrations/correct/:rego/:id': RECORD,
  '/my-calibrations': { GET: 'read own visits' },
  '/my-visits': { GET: 'read own visits', POST: 'record visits' },
  '/admins': READ_PEOPLE,
  '/admins/new': { ...PEOPLE, uploads: true },
  '/admins/view/:id': READ_PEOPLE,
  '/admins/update/:id': { ...PEOPLE, uploads: true },
  '/admins/delete/:id': PEOPLE,
  '/admins/erase/:id': PEOPLE,
  '/admins/removals': { GET: 'read people', POST: 'change people' },
  '/applications': READ_PEOPLE,
  '/applications/view/:id': { GET: 'read people', POST: 'change people' },
  '/applications/delete/:id': PEOPLE,
  '/technicians': READ_PEOPLE,
  '/technicians/view/:id': READ_PEOPLE,
  '/technicians/delete/:id': PEOPLE,
  '/technicians/erase/:id': PEOPLE,
  '/technicians/suspend/:id': PEOPLE,
  '/technicians/reinstate/:id': PEOPLE,
  '/technicians/licence/:id': PEOPLE,
  '/references': READ_PUBLIC,
  '/references/:id': READ_PUBLIC,
  '/references/new': WEIGHBRIDGES,
  '/references/import': { ...WEIGHBRIDGES, list: true },
  '/references/import/left-out.csv': { POST: 'change weighbridges', list: true },
  '/references/:id/update': WEIGHBRIDGES,
  '/references/:id/verify': { ...WEIGHBRIDGES, uploads: true },
  '/references/:id/withdraw/:verification': WEIGHBRIDGES,
  '/references/:id/repair': WEIGHBRIDGES,
  '/references/:id/recall': { GET: 'withdraw weighbridges', POST: 'withdraw weighbridges' },
  '/references/recalls/:id': { GET: 'read weighbridge withdrawals', POST: 'withdraw weighbridges' },
  '/logs': { GET: 'read logs' },
  '/logs.csv': { GET: 'read logs' },
  '/new-password': OWN,
  '/my-profile': { GET: 'read own account' },
  '/profile/update': { ...OWN, uploads: true },
  '/profile/update/:id': { GET: 'change people' },
  '/settings': { GET: 'read own account', POST: 'change own account' },
  '/settings/second-factor': OWN,
  '/waiting': { GET: 'read own account' },
  '/settings/tell': RECORD,
  '/settings/jobs': { GET: 'read settings' },
  '/settings/policy': { GET: 'change policy', POST: 'change policy' },
  '/settings/policy/proposal': { GET: 'read settings', POST: 'change policy' },
  '/portraits/:personId': { GET: 'read own account' },
  '/uploads': { POST: 'change own account', uploads: true },
  '/*': READ,
} satisfies Readonly<Record<Parameters<typeof href>[0], Page>>;

/** The pages by pattern, for a look-up with any string. */
export const PAGES: Readonly<Record<string, Page>> = EACH;

/** Whether the reader, who `may` so much, may open the page at `path` (a pattern). False when there is no such page. */
export function mayOpen(may: (permission: Permission) => boolean, path: string): boolean {
  const permission = PAGES[path]?.GET;
  return permission !== undefined && may(permission);
}
