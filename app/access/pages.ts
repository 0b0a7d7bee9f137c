// The table of pages: for each pattern in app/routes.ts, who may open the page, whether its form takes files, whether
// its response is cached, and whether its data comes from the replica. Used by the guard, the body limits
// (server/body-size.ts), the response cache and the choice of database (server/pages.ts). A page without a row does not
// compile, and is refused at run time.
import type { href } from 'react-router';
import { topicsOfReadingPage, topicsOfVehiclePage, type Topic } from '#app/activity-log/topic.ts';
import { may, type Permission, type Role } from './permissions.ts';

/** HEAD counts as GET. A method that is not listed is answered 405. */
export type Page = {
  GET?: Permission;
  POST?: Permission;
  /** The form takes files: a larger body is allowed, and none of it is read before the guard has allowed the sender. */
  uploads?: true;
  /** The form takes a list of trucks: more than a form of fields, and less than files. */
  list?: true;
  /**
   * Visitors without a session read from the replica. Such a page shows public data only, and its GET writes nothing.
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
 * of `anew` it is not cached. The page reads no others.
 */
export type Cached = {
  tags: (params: Readonly<Record<string, string>>) => readonly Topic[];
  query: readonly string[];
  anew?: readonly string[];
};

const READ = { GET: 'read the registry' } as const;
const READ_PUBLIC = { ...READ, replica: true } as const;
const SIGN = { GET: 'sign in and out', POST: 'sign in and out' } as const;
const FOLLOW = { GET: 'follow vehicles', POST: 'follow vehicles' } as const;
const OWN = { GET: 'keep own account', POST: 'keep own account' } as const;
const VEHICLES = { GET: 'look after vehicles', POST: 'look after vehicles' } as const;
const CALIBRATE = { GET: 'record calibrations', POST: 'record calibrations' } as const;
const POLICY = { GET: 'change the policy', POST: 'change the policy' } as const;
const READ_PEOPLE = { GET: 'manage people' } as const;
const REFERENCES = { GET: 'manage references', POST: 'manage references' } as const;
const WITHDRAWALS = { GET: 'withdraw references', POST: 'withdraw references' } as const;
const PATTERNS = { GET: 'look at patterns', POST: 'look at patterns' } as const;
const PEOPLE = { GET: 'manage people', POST: 'manage people' } as const;

// Converting volts puts the number into the address, under the name of the axle group.
const VEHICLE_PAGE_ANEW = ['steer', 'drive', 'trailera', 'trailerb', 'history'] as const;

const EACH = {
  '/': { ...READ_PUBLIC, cached: { tags: () => ['vehicles'], query: ['q', 'page'] } },
  '/search': { ...READ_PUBLIC, cached: { tags: () => ['vehicles'], query: ['q', 'page'] } },
  '/about': { ...READ_PUBLIC, cached: { tags: () => ['policy'], query: [] } },
  '/contact': { ...READ, cached: { tags: () => [], query: [] } },
  // Its POST writes nothing either.
  '/check': { ...READ, POST: 'read the registry', list: true },
  '/check/follow': { ...FOLLOW, list: true },
  '/check/:file': { POST: 'read the registry', list: true },
  '/log': READ_PUBLIC,
  '/log/witnesses': READ,
  '/log/entries/:index': READ,
  '/vehicles/view/:rego': {
    ...READ_PUBLIC,
    POST: 'record calibrations',
    cached: { tags: ({ rego = '' }) => topicsOfVehiclePage(rego), query: ['image'], anew: VEHICLE_PAGE_ANEW },
    dear: 'waits',
  },
  // Not from the replica: it keeps what its check found.
  '/vehicles/history/:rego': {
    ...READ,
    cached: { tags: ({ rego = '' }) => topicsOfVehiclePage(rego), query: ['page'] },
    dear: true,
  },
  '/calibrations/:rego/:id': {
    ...READ_PUBLIC,
    cached: { tags: ({ rego = '' }) => topicsOfReadingPage(rego), query: [] },
  },
  '/calibrated-by/:personId': { ...READ_PUBLIC, cached: { tags: () => ['vehicles', 'recorders'], query: [] } },
  '/vehicles/report/:file': { ...READ, dear: true },
  '/calibrations/report/:rego/:file': { ...READ, dear: true },
  '/vehicles/follow/:rego': FOLLOW,
  '/following/:token': { ...FOLLOW, list: true },
  '/following/:token/end': FOLLOW,
  '/follow/confirm/:token': { ...FOLLOW, list: true },
  '/follow/leave/:token': FOLLOW,
  '/follow/mine/:token': FOLLOW,
  '/lists/:token': { ...FOLLOW, list: true },
  '/lists/:token/end': FOLLOW,
  '/tech-register': { GET: 'read the registry', POST: 'request registration' },
  '/login': SIGN,
  '/tech-login': SIGN,
  '/second-factor': SIGN,
  '/reset': SIGN,
  '/reset/:token': SIGN,
  '/setup': SIGN,
  '/logout': SIGN,
  '/dashboard': { GET: 'see the dashboard' },
  '/vehicles': { GET: 'look after vehicles' },
  '/vehicles.csv': { GET: 'look after vehicles' },
  '/vehicles/label/:file': { ...READ, dear: true },
  '/vehicles/labels.pdf': { GET: 'look after vehicles' },
  '/vehicles/kept': VEHICLES,
  '/vehicles/import': { GET: 'import vehicles', POST: 'import vehicles', list: true },
  '/vehicles/import/left-out.csv': { POST: 'import vehicles', list: true },
  '/vehicles/new': { ...VEHICLES, uploads: true },
  '/vehicles/new/:rego': { ...VEHICLES, uploads: true },
  '/vehicles/update/:rego': { ...VEHICLES, uploads: true },
  '/vehicles/validate/:rego': { GET: 'decide validation', POST: 'decide validation' },
  '/vehicles/delete/:rego': { GET: 'remove vehicles', POST: 'remove vehicles' },
  '/vehicles/removed': { GET: 'remove vehicles', POST: 'remove vehicles' },
  '/vehicles/calibrate/:rego': { ...CALIBRATE, uploads: true },
  '/vehicles/calibrate/:rego/preview': { GET: 'record calibrations' },
  // The same for everyone: a phone keeps it.
  '/field': READ,
  '/field/data': { GET: 'record calibrations' },
  '/field/visits': { POST: 'record calibrations' },
  '/visits': { GET: 'decide visits' },
  '/visits/taken-over': { GET: 'decide visits', POST: 'decide visits' },
  '/visits/:id': { GET: 'decide visits', POST: 'decide visits' },
  '/visits/:id/match': { GET: 'decide visits', POST: 'decide visits' },
  '/visits/:id/hide-photo': { GET: 'decide visits', POST: 'decide visits' },
  '/visits/:id/check': { GET: 'ask for check visits', POST: 'ask for check visits' },
  '/check-visits': { GET: 'make check visits' },
  '/patterns': { GET: 'look at patterns' },
  // Its GET notes who looked.
  '/patterns/:id': PATTERNS,
  '/patterns/method': { ...READ, cached: { tags: () => [], query: [] }, dear: true },
  '/my-patterns': { GET: 'record calibrations' },
  '/my-patterns/:id': CALIBRATE,
  '/calibrations/correct/:rego/:id': CALIBRATE,
  '/my-calibrations': { GET: 'record calibrations' },
  '/my-visits': CALIBRATE,
  '/admins': READ_PEOPLE,
  '/admins/new': { ...PEOPLE, uploads: true },
  '/admins/view/:id': READ_PEOPLE,
  '/admins/update/:id': { ...PEOPLE, uploads: true },
  '/admins/delete/:id': PEOPLE,
  '/admins/erase/:id': PEOPLE,
  '/admins/removals': PEOPLE,
  '/applications': READ_PEOPLE,
  '/applications/view/:id': PEOPLE,
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
  '/references/new': REFERENCES,
  '/references/import': REFERENCES,
  '/references/:id/update': REFERENCES,
  '/references/:id/verify': { ...REFERENCES, uploads: true },
  '/references/:id/withdraw/:verification': REFERENCES,
  '/references/:id/repair': REFERENCES,
  '/references/:id/recall': WITHDRAWALS,
  '/references/recalls/:id': WITHDRAWALS,
  '/logs': { GET: 'manage people' },
  '/logs.csv': { GET: 'manage people' },
  '/new-password': OWN,
  '/my-profile': { GET: 'keep own account' },
  '/profile/update': { ...OWN, uploads: true },
  '/profile/update/:id': READ_PEOPLE,
  '/settings': OWN,
  '/settings/second-factor': OWN,
  '/settings/jobs': { GET: 'manage people' },
  '/settings/policy': POLICY,
  '/settings/policy/proposal': POLICY,
  '/portraits/:personId': { GET: 'keep own account' },
  '/uploads': { POST: 'keep own account', uploads: true },
  '/*': READ,
} satisfies Readonly<Record<Parameters<typeof href>[0], Page>>;

/** The pages by pattern, for a look-up with any string. */
export const PAGES: Readonly<Record<string, Page>> = EACH;

/** Whether `role` may open the page at `path` (a pattern without parameters). False when there is no such page. */
export function mayOpen(role: Role, path: string): boolean {
  const permission = PAGES[path]?.GET;
  return permission !== undefined && may(role, permission);
}
