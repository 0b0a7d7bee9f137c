// Who may do what: the one table that pages, actions, files and event streams ask. What is in no row is refused.

export const ROLES = ['public', 'technician', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ['public', 'technician', 'admin'] as const;
const SIGNED_IN = ['technician', 'admin'] as const;
const ADMINS = ['admin'] as const;

export const PERMISSIONS = {
  'read the registry': EVERYONE,
  'request registration': EVERYONE,
  'follow vehicles': EVERYONE,
  'sign in and out': EVERYONE,
  'see the dashboard': SIGNED_IN,
  'keep own account': SIGNED_IN,
  'look after vehicles': SIGNED_IN,
  'record calibrations': SIGNED_IN,
  'decide validation': ADMINS,
  'remove vehicles': ADMINS,
  'manage people': ADMINS,
  'change the policy': ADMINS,
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** Whether somebody in `role` may. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}

export type Methods = { GET?: Permission; POST?: Permission };

const READ = { GET: 'read the registry' } as const;
const SIGN = { GET: 'sign in and out', POST: 'sign in and out' } as const;
const FOLLOW = { GET: 'follow vehicles', POST: 'follow vehicles' } as const;
const OWN = { GET: 'keep own account', POST: 'keep own account' } as const;
const VEHICLES = { GET: 'look after vehicles', POST: 'look after vehicles' } as const;
const READ_PEOPLE = { GET: 'manage people' } as const;
const PEOPLE = { GET: 'manage people', POST: 'manage people' } as const;

/** Each page by its pattern in app/routes.ts. HEAD counts as GET; a method that is not named is answered 405. */
export const PAGES: Readonly<Record<string, Methods>> = {
  '/': READ,
  '/search': READ,
  '/about': READ,
  '/log': READ,
  '/log/entries/:index': READ,
  '/vehicles/view/:rego': { GET: 'read the registry', POST: 'record calibrations' },
  '/calibrations/:rego/:id': READ,
  '/vehicles/report/:file': READ,
  '/calibrations/report/:rego/:file': READ,
  '/vehicles/follow/:rego': FOLLOW,
  '/follow/confirm/:token': FOLLOW,
  '/follow/leave/:token': FOLLOW,
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
  '/vehicles/label/:file': { GET: 'look after vehicles' },
  '/vehicles/labels.pdf': { GET: 'look after vehicles' },
  '/vehicles/new': VEHICLES,
  '/vehicles/new/:rego': VEHICLES,
  '/vehicles/update/:rego': VEHICLES,
  '/vehicles/validate/:rego': { GET: 'decide validation', POST: 'decide validation' },
  '/vehicles/delete/:rego': { GET: 'remove vehicles', POST: 'remove vehicles' },
  '/vehicles/removed': { GET: 'remove vehicles', POST: 'remove vehicles' },
  '/vehicles/calibrate/:rego': { GET: 'record calibrations', POST: 'record calibrations' },
  '/calibrations/correct/:rego/:id': { GET: 'record calibrations', POST: 'record calibrations' },
  '/my-calibrations': { GET: 'record calibrations' },
  '/admins': READ_PEOPLE,
  '/admins/new': PEOPLE,
  '/admins/view/:id': READ_PEOPLE,
  '/admins/update/:id': PEOPLE,
  '/admins/delete/:id': PEOPLE,
  '/admins/erase/:id': PEOPLE,
  '/applications': READ_PEOPLE,
  '/applications/view/:id': PEOPLE,
  '/applications/delete/:id': PEOPLE,
  '/technicians': READ_PEOPLE,
  '/technicians/view/:id': READ_PEOPLE,
  '/technicians/delete/:id': PEOPLE,
  '/technicians/erase/:id': PEOPLE,
  '/logs': { GET: 'manage people' },
  '/logs.csv': { GET: 'manage people' },
  '/new-password': OWN,
  '/my-profile': { GET: 'keep own account' },
  '/profile/update': OWN,
  '/profile/update/:id': READ_PEOPLE,
  '/settings': OWN,
  '/settings/second-factor': OWN,
  '/settings/policy': { GET: 'change the policy', POST: 'change the policy' },
  '/portraits/:personId': { GET: 'keep own account' },
  '/uploads': { POST: 'keep own account' },
  '/*': READ,
};

/** Whether somebody in `role` may open the page at `path` (one without parameters). What there is not, nobody may. */
export function mayOpen(role: Role, path: string): boolean {
  const permission = PAGES[path]?.GET;
  return permission !== undefined && may(role, permission);
}
