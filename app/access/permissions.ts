// Which roles have which permission: the one table that pages, actions, files and event streams check.

export const ROLES = ['public', 'technician', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ROLES;
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
  'decide visits': ADMINS,
  'make check visits': SIGNED_IN,
  'ask for check visits': ADMINS,
  'look at patterns': ADMINS,
  'import vehicles': ADMINS,
  'remove vehicles': ADMINS,
  'manage people': ADMINS,
  'change the policy': ADMINS,
  'manage references': ADMINS,
  'withdraw references': ADMINS,
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** Whether `role` has the permission. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}
