// Which roles have which permission: the one table that pages, actions, files and event streams check. A permission is a
// verb on a thing. Those that write stand apart from those that only read.

export const ROLES = ['public', 'technician', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ROLES;
const SIGNED_IN = ['technician', 'admin'] as const;
const ADMINS = ['admin'] as const;

type Table = Readonly<Record<string, readonly Role[]>>;

const READS = {
  'read registry': EVERYONE,
  'read vehicles': SIGNED_IN,
  'read own account': SIGNED_IN,
  'read own visits': SIGNED_IN,
  'read check visits': SIGNED_IN,
  'read removed vehicles': ADMINS,
  'read visits': ADMINS,
  'read patterns': ADMINS,
  'read people': ADMINS,
  'read weighbridge withdrawals': ADMINS,
  'read settings': ADMINS,
  'read logs': ADMINS,
} as const satisfies Table;

const WRITES = {
  'request registration': EVERYONE,
  'follow vehicles': EVERYONE,
  'sign in and out': EVERYONE,
  'change own account': SIGNED_IN,
  'keep lists': SIGNED_IN,
  'change vehicles': SIGNED_IN,
  'record visits': SIGNED_IN,
  'correct any reading': ADMINS,
  'validate vehicles': ADMINS,
  'decide visits': ADMINS,
  'ask for check visits': ADMINS,
  'decide patterns': ADMINS,
  'import vehicles': ADMINS,
  'remove vehicles': ADMINS,
  'change people': ADMINS,
  'change policy': ADMINS,
  'change weighbridges': ADMINS,
  'withdraw weighbridges': ADMINS,
} as const satisfies Table;

const PERMISSIONS = { ...READS, ...WRITES };
export type Permission = keyof typeof PERMISSIONS;

/** Whether who has the permission changes something by it. */
export const writes = (permission: Permission): boolean => Object.hasOwn(WRITES, permission);

/** Whether `role` has the permission. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}

/** 'an admin', 'a technician' */
export const oneOf = (role: Role | 'visitor'): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

/** What `role` may do, as each page's data says it. */
export const permissionsOf = (role: Role): Permission[] =>
  Object.keys(PERMISSIONS)
    .filter(isPermission)
    .filter((permission) => may(role, permission));

const isPermission = (text: string): text is Permission => Object.hasOwn(PERMISSIONS, text);
