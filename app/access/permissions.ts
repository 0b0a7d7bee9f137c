// Which roles have which permission: the one table that pages, actions, files and event streams check. A permission is
// a verb on a thing. Those that write stand apart from those that only read.

import { STAFF_ROLES } from '#database/people-tables.ts';

export const ROLES = ['public', 'technician', ...STAFF_ROLES] as const;
export type Role = (typeof ROLES)[number];
/** Of an account. */
export type AccountRole = Exclude<Role, 'public'>;

const EVERYONE = ROLES;
const SIGNED_IN = ['technician', ...STAFF_ROLES] as const;
const OFFICE = STAFF_ROLES;
const RECORDERS = ['technician', 'admin'] as const;
const ADMINS = ['admin'] as const;

type Table = Readonly<Record<string, readonly Role[]>>;

const READS = {
  'read registry': EVERYONE,
  'read vehicles': SIGNED_IN,
  'read own account': SIGNED_IN,
  'read own visits': SIGNED_IN,
  'read check visits': SIGNED_IN,
  'read removed vehicles': OFFICE,
  'read visits': OFFICE,
  'read patterns': OFFICE,
  'read reports': OFFICE,
  'read people': OFFICE,
  'read weighbridge withdrawals': OFFICE,
  'read settings': OFFICE,
  'read logs': OFFICE,
} as const satisfies Table;

const WRITES = {
  'request registration': EVERYONE,
  'follow vehicles': EVERYONE,
  'report records': EVERYONE,
  'sign in and out': EVERYONE,
  'change own account': SIGNED_IN,
  'keep lists': RECORDERS,
  'change vehicles': RECORDERS,
  'record visits': RECORDERS,
  'correct any reading': ADMINS,
  'validate vehicles': ADMINS,
  'decide visits': ADMINS,
  'ask for check visits': ADMINS,
  'decide patterns': ADMINS,
  'decide reports': ADMINS,
  'import vehicles': ADMINS,
  'remove vehicles': ADMINS,
  'decide plates': ADMINS,
  'join vehicles': ADMINS,
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
