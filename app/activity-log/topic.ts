// Topics: open pages subscribe to them, and cached responses are tagged with them. The topics of a write follow from
// its kind and from what it concerns, so that a write cannot leave out a page.
import type { ActivityKind } from './activity.ts';

/**
 * The topics of lists. A topic covers the list and each record in it. `recorders`: the people whom public pages name as
 * the recorders of readings. `references`: the register of weighbridges. `public-log`: the entries of the public log.
 * `logs`: the entries of the activity log. `visits`: the visits that wait for an admin.
 */
export const LIST_TOPICS = [
  'vehicles',
  'visits',
  'policy',
  'admins',
  'technicians',
  'applications',
  'recorders',
  'references',
  'public-log',
  'logs',
] as const;
export type ListTopic = (typeof LIST_TOPICS)[number];

const NAMES: readonly string[] = LIST_TOPICS;
export const isListTopic = (name: string): name is ListTopic => NAMES.includes(name);

/** A list, one vehicle by its rego, or one person by their id. */
export type Topic = ListTopic | `vehicle:${string}` | `person:${string}`;

/**
 * The topics of a vehicle's page, for its subscription and its cache tags: it shows recorders, and a verdict by the
 * policy.
 */
export const topicsOfVehiclePage = (rego: string): Topic[] => [`vehicle:${rego}`, 'policy', 'recorders'];

/** The topics of a reading's page, which shows no verdict. */
export const topicsOfReadingPage = (rego: string): Topic[] => [`vehicle:${rego}`, 'recorders'];

/** What a write concerns. `persons`: the ids of who acted and who is affected; their own pages reload. */
export type Concerns = { kind: ActivityKind; subject?: string; rego?: string; persons?: readonly string[] };

const OF_VEHICLE = ['vehicles', 'public-log'] as const;
const OF_VISIT = [...OF_VEHICLE, 'visits'] as const;
const OF_REFERENCE = ['references', 'public-log'] as const;
const OF_ADMIN = ['admins'] as const;
const OF_APPLICATION = ['applications'] as const;
// Pages of readings also show whether the recorder still has access.
const ACCESS_OF_ADMIN = ['admins', 'recorders'] as const;
const ACCESS_OF_TECHNICIAN = ['technicians', 'recorders', 'public-log'] as const;

// The list topics of each kind. `topicsOf` adds 'logs' to each, because the page of the log shows every entry.
const LISTS: Readonly<Record<ActivityKind, readonly ListTopic[]>> = {
  'vehicle.added': OF_VEHICLE,
  'vehicle.updated': OF_VEHICLE,
  'vehicle.validated': OF_VEHICLE,
  'validation.withdrawn': OF_VEHICLE,
  'vehicle.removed': OF_VISIT,
  'vehicle.restored': OF_VISIT,
  'vehicle.imported': OF_VEHICLE,
  'vehicle.followed': [],
  'vehicle.unfollowed': [],
  'calibration.recorded': OF_VISIT,
  'calibration-set.recorded': OF_VISIT,
  'calibration.corrected': OF_VISIT,
  'calibration.imported': OF_VISIT,
  'calibration.updated': OF_VISIT,
  'visit.closed': OF_VISIT,
  'visit.accepted': OF_VISIT,
  'visit.set-aside': OF_VISIT,
  'admin.added': ACCESS_OF_ADMIN,
  'admin.updated': OF_ADMIN,
  'admin.removed': ACCESS_OF_ADMIN,
  'admin.imported': ACCESS_OF_ADMIN,
  'application.submitted': OF_APPLICATION,
  'application.updated': OF_APPLICATION,
  'application.deleted': OF_APPLICATION,
  'application.imported': OF_APPLICATION,
  'technician.approved': [...OF_APPLICATION, ...ACCESS_OF_TECHNICIAN],
  'technician.updated': ['technicians', 'public-log'],
  'technician.suspended': ['technicians', 'public-log'],
  'technician.reinstated': ['technicians', 'public-log'],
  'technician.removed': ACCESS_OF_TECHNICIAN,
  'technician.imported': ACCESS_OF_TECHNICIAN,
  // Depends on the person's role: see PROFILES.
  'profile.updated': [],
  // The pages of vehicles show names too.
  'person.erased': [...OF_ADMIN, ...ACCESS_OF_TECHNICIAN, 'vehicles'],
  'password.set': [],
  'password.changed': [],
  'password.reset': [],
  'second-factor.added': [],
  'second-factor.removed': [],
  'recovery-codes.renewed': [],
  'reference.added': OF_REFERENCE,
  'reference.updated': OF_REFERENCE,
  'verification.added': OF_REFERENCE,
  'verification.withdrawn': OF_REFERENCE,
  'repair.added': OF_REFERENCE,
  'references.imported': OF_REFERENCE,
  'policy.changed': ['policy', ...OF_VEHICLE],
  'policy.proposed': ['policy', 'public-log'],
  'policy.withdrawn': ['policy', 'public-log'],
  'record.changed': [],
};

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: OF_ADMIN, technician: ['technicians'] };

/** Every topic that a write publishes: those whose pages it may change. */
export function topicsOf({ kind, subject = '', rego, persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : LISTS[kind];
  return [
    ...lists,
    ...(rego === undefined ? [] : [`vehicle:${rego}` as const]),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
