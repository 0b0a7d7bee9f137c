// The roles of who works in the registry's office, and how each is called. Their permissions:
// app/access/permissions.ts.
import type { StaffRole } from '#database/people-tables.ts';

/** `one`, `many`: on screens. `inWords`: within a sentence, behind 'an'. */
export const STAFF = {
  admin: { one: 'Admin', many: 'Admins', inWords: 'administrator' },
  auditor: { one: 'Auditor', many: 'Auditors', inWords: 'auditor' },
} as const satisfies Record<StaffRole, { one: string; many: string; inWords: string }>;

export const isStaffRole = (text: string): text is StaffRole => Object.hasOwn(STAFF, text);
