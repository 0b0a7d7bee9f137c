// The topics of a write follow from its kind and from what it concerns, so that a write cannot leave out a page.
import type { ActivityKind } from './activity.ts';
import type { ListTopic, Topic } from './topic.ts';

/**
 * What a write concerns. `regos`: of many vehicles at once, whose pages reload; the entry is of none of them. `persons`: the
 * ids of who acted and who is affected; their own pages reload.
 */
export type Concerns = {
  kind: ActivityKind;
  subject?: string;
  rego?: string;
  regos?: readonly string[];
  persons?: readonly string[];
};

const OF_VEHICLE = ['vehicles', 'public-log'] as const;
const OF_VISIT = [...OF_VEHICLE, 'visits'] as const;
const OF_CHECK_VISIT = ['check-visits', 'public-log'] as const;
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
  'list.followed': [],
  'list.unfollowed': [],
  'calibration.recorded': OF_VISIT,
  'calibration-set.recorded': OF_VISIT,
  'calibration.corrected': OF_VISIT,
  'calibration.imported': OF_VISIT,
  'calibration.updated': OF_VISIT,
  'visit.closed': OF_VISIT,
  'visit.accepted': OF_VISIT,
  'visit.set-aside': OF_VISIT,
  'visit.matched': [...OF_VISIT, 'references'],
  'photo.hidden': ['public-log'],
  'check-visit.asked': OF_CHECK_VISIT,
  'check-visit.drawn': OF_CHECK_VISIT,
  'check-visit.done': OF_CHECK_VISIT,
  'check-visit.reopened': OF_CHECK_VISIT,
  'check-visit.lapsed': OF_CHECK_VISIT,
  'check-visit.withdrawn': OF_CHECK_VISIT,
  'pattern.looked': ['patterns'],
  'pattern.found': ['patterns'],
  'pattern.opened': ['patterns'],
  'pattern.asked': ['patterns'],
  'pattern.answered': ['patterns'],
  'pattern.decided': ['patterns'],
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
  'withdrawal.proposed': OF_REFERENCE,
  'withdrawal.confirmed': OF_REFERENCE,
  'withdrawal.dropped': OF_REFERENCE,
  // A block of the visits that it reaches.
  'reference.withdrawn': [...OF_VISIT, 'references'],
  'lift.proposed': OF_REFERENCE,
  'lift.confirmed': OF_REFERENCE,
  'lift.dropped': OF_REFERENCE,
  'reference.reinstated': [...OF_VISIT, 'references'],
  'policy.changed': ['policy', ...OF_VEHICLE],
  'policy.proposed': ['policy', 'public-log'],
  'policy.withdrawn': ['policy', 'public-log'],
  'record.changed': [],
};

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: OF_ADMIN, technician: ['technicians'] };

/** Every topic that a write publishes: those whose pages it may change. */
export function topicsOf({ kind, subject = '', rego, regos = [], persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : LISTS[kind];
  return [
    ...lists,
    ...[...(rego === undefined ? [] : [rego]), ...new Set(regos)].map((of) => `vehicle:${of}` as const),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
