// What open pages and cached answers follow. The topics of a write follow from its kind and from what it concerns, so no
// write can forget a page.
import type { ActivityKind } from './activity.ts';

/** The topics that stand for a list, each with what is in it. */
export const LIST_TOPICS = ['vehicles', 'policy', 'admins', 'technicians', 'applications', 'logs'] as const;
export type ListTopic = (typeof LIST_TOPICS)[number];

const NAMES: readonly string[] = LIST_TOPICS;
export const isListTopic = (name: string): name is ListTopic => NAMES.includes(name);

/** A list, one vehicle by its rego, or one person by their id. */
export type Topic = ListTopic | `vehicle:${string}` | `person:${string}`;

/** `rego`: of the vehicle that a write concerns. `persons`: whose own pages it concerns, who did it and to whom. */
export type Concerns = { kind: ActivityKind; subject?: string; rego?: string; persons?: readonly string[] };

const OF_VEHICLE = ['vehicles'] as const;
const OF_ADMIN = ['admins'] as const;
const OF_TECHNICIAN = ['technicians'] as const;
const OF_APPLICATION = ['applications'] as const;

// Beside the log's own page, which shows every entry.
const LISTS: Readonly<Record<ActivityKind, readonly ListTopic[]>> = {
  'vehicle.added': OF_VEHICLE,
  'vehicle.updated': OF_VEHICLE,
  'vehicle.validated': OF_VEHICLE,
  'validation.withdrawn': OF_VEHICLE,
  'vehicle.removed': OF_VEHICLE,
  'vehicle.restored': OF_VEHICLE,
  'vehicle.imported': OF_VEHICLE,
  'vehicle.followed': [],
  'vehicle.unfollowed': [],
  'calibration.recorded': OF_VEHICLE,
  'calibration-set.recorded': OF_VEHICLE,
  'calibration.corrected': OF_VEHICLE,
  'calibration.imported': OF_VEHICLE,
  'calibration.updated': OF_VEHICLE,
  'admin.added': OF_ADMIN,
  'admin.updated': OF_ADMIN,
  'admin.removed': OF_ADMIN,
  'admin.imported': OF_ADMIN,
  'application.submitted': OF_APPLICATION,
  'application.updated': OF_APPLICATION,
  'application.deleted': OF_APPLICATION,
  'application.imported': OF_APPLICATION,
  'technician.approved': [...OF_APPLICATION, ...OF_TECHNICIAN],
  'technician.updated': OF_TECHNICIAN,
  'technician.removed': OF_TECHNICIAN,
  'technician.imported': OF_TECHNICIAN,
  // By whose it is: an admin's or a technician's.
  'profile.updated': [],
  // Names stand on the pages of vehicles too.
  'person.erased': [...OF_ADMIN, ...OF_TECHNICIAN, ...OF_VEHICLE],
  'password.set': OF_ADMIN,
  'password.changed': [],
  'password.reset': [],
  'second-factor.added': [],
  'second-factor.removed': [],
  'recovery-codes.renewed': [],
  'policy.changed': ['policy', ...OF_VEHICLE],
  'record.changed': [],
};

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: OF_ADMIN, technician: OF_TECHNICIAN };

/** Every topic whose pages a write may change. */
export function topicsOf({ kind, subject = '', rego, persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : LISTS[kind];
  return [
    ...lists,
    ...(rego === undefined ? [] : [`vehicle:${rego}` as const]),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
