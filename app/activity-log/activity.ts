// Every kind of activity log entry: the lists that its writes change, and the words for it.
import type { ListTopic } from './topic.ts';

const OF_VEHICLE = ['vehicles', 'public-log'] as const;
const OF_VISIT = [...OF_VEHICLE, 'visits'] as const;
const OF_CHECK_VISIT = ['check-visits', 'public-log'] as const;
const OF_REFERENCE = ['references', 'public-log'] as const;
// A weighbridge's page says that a report is open.
const OF_REPORT = ['reports', 'references', 'public-log'] as const;
const OF_APPLICATION = ['applications'] as const;
// Pages of readings also show whether the recorder still has access.
const ADMIN = ['admins', 'public-log'] as const;
const ACCESS_OF_ADMIN = [...ADMIN, 'recorders'] as const;
const ACCESS_OF_TECHNICIAN = ['technicians', 'recorders', 'public-log'] as const;

/**
 * Every kind of entry (`noun.past-participle`) with its list topics, grouped by subject. The filter of the log lists
 * them in this order. `topicsOf` adds 'logs' to each, because the page of the log shows every entry.
 */
const KINDS = {
  Vehicles: [
    ['vehicle.added', OF_VEHICLE],
    ['vehicle.updated', OF_VEHICLE],
    ['vehicle.validated', OF_VEHICLE],
    ['validation.withdrawn', OF_VEHICLE],
    ['vehicle.removed', OF_VISIT],
    ['vehicle.restored', OF_VISIT],
    ['vehicle.replated', [...OF_VISIT, 'check-visits']],
    // A technician asked for another plate, which is or was another vehicle's; an admin declined.
    ['plate.asked', ['vehicles']],
    ['plate.declined', ['vehicles']],
    // Two records of one truck were joined; that was undone, asked for, declined; or they are two trucks.
    ['vehicle.joined', [...OF_VISIT, 'check-visits']],
    ['vehicle.parted', [...OF_VISIT, 'check-visits']],
    ['join.asked', ['vehicles']],
    ['join.declined', ['vehicles']],
    ['vehicles.told-apart', ['vehicles']],
    ['vehicle.imported', OF_VEHICLE],
    // What a check of the vehicle's records against the public log found, where that is something else than before.
    ['history.checked', ['vehicles']],
    ['vehicle.followed', []],
    ['vehicle.unfollowed', []],
    ['list.followed', []],
    ['list.unfollowed', []],
  ],
  Calibrations: [
    ['calibration.recorded', OF_VISIT],
    ['calibration-set.recorded', OF_VISIT],
    ['calibration.corrected', OF_VISIT],
    ['calibration.imported', OF_VISIT],
    ['calibration.updated', OF_VISIT],
    ['visit.closed', OF_VISIT],
    ['visit.accepted', OF_VISIT],
    ['visit.set-aside', OF_VISIT],
    ['visit.matched', [...OF_VISIT, 'references']],
    ['photo.hidden', ['public-log']],
    ['photo.shown', ['public-log']],
    ['check-visit.asked', OF_CHECK_VISIT],
    ['check-visit.drawn', OF_CHECK_VISIT],
    ['check-visit.done', OF_CHECK_VISIT],
    ['check-visit.reopened', OF_CHECK_VISIT],
    ['check-visit.lapsed', OF_CHECK_VISIT],
    ['check-visit.withdrawn', OF_CHECK_VISIT],
  ],
  Patterns: [
    ['pattern.looked', ['patterns']],
    ['pattern.found', ['patterns']],
    ['pattern.opened', ['patterns']],
    ['pattern.asked', ['patterns']],
    ['pattern.answered', ['patterns']],
    ['pattern.decided', ['patterns']],
  ],
  Reports: [
    ['report.confirmed', ['reports']],
    ['report.added', ['reports']],
    ['report.opened', OF_REPORT],
    ['report.asked', OF_REPORT],
    ['report.answered', ['reports']],
    ['report.decided', OF_REPORT],
    ['report.second-look', OF_REPORT],
    ['report.taken-back', OF_REPORT],
    ['report.spam', ['reports']],
  ],
  People: [
    ['admin.added', ACCESS_OF_ADMIN],
    ['admin.updated', ADMIN],
    ['admin.removed', ACCESS_OF_ADMIN],
    ['auditor.added', ['admins']],
    ['auditor.updated', ['admins']],
    ['auditor.removed', ['admins']],
    ['removal.confirmed', ADMIN],
    ['removal.refused', ACCESS_OF_ADMIN],
    ['admin.imported', ACCESS_OF_ADMIN],
    ['application.submitted', OF_APPLICATION],
    ['application.updated', OF_APPLICATION],
    ['application.deleted', OF_APPLICATION],
    ['application.imported', OF_APPLICATION],
    ['technician.approved', [...OF_APPLICATION, ...ACCESS_OF_TECHNICIAN]],
    ['technician.updated', ['technicians', 'public-log']],
    ['technician.suspended', ['technicians', 'public-log']],
    ['technician.reinstated', ['technicians', 'public-log']],
    ['technician.removed', ACCESS_OF_TECHNICIAN],
    ['technician.imported', ACCESS_OF_TECHNICIAN],
    // Depends on the person's role: see topics-of-write.ts.
    ['profile.updated', []],
    // The pages of vehicles show names too.
    ['person.erased', ['admins', ...ACCESS_OF_TECHNICIAN, 'vehicles']],
  ],
  'Signing in': [
    ['password.set', []],
    ['password.changed', []],
    ['password.reset', []],
    ['second-factor.added', []],
    ['second-factor.removed', []],
    ['recovery-codes.renewed', []],
  ],
  Weighbridges: [
    ['reference.added', OF_REFERENCE],
    ['reference.updated', OF_REFERENCE],
    ['verification.added', OF_REFERENCE],
    ['verification.withdrawn', OF_REFERENCE],
    ['repair.added', OF_REFERENCE],
    ['references.imported', OF_REFERENCE],
    ['withdrawal.proposed', OF_REFERENCE],
    ['withdrawal.confirmed', OF_REFERENCE],
    ['withdrawal.dropped', OF_REFERENCE],
    // A block of the visits that it reaches.
    ['reference.withdrawn', [...OF_VISIT, 'references']],
    ['lift.proposed', OF_REFERENCE],
    ['lift.confirmed', OF_REFERENCE],
    ['lift.dropped', OF_REFERENCE],
    ['reference.reinstated', [...OF_VISIT, 'references']],
  ],
  'The registry': [
    ['policy.changed', ['policy', ...OF_VEHICLE]],
    ['policy.proposed', ['policy', 'public-log']],
    ['policy.withdrawn', ['policy', 'public-log']],
  ],
  'Former registry': [['record.changed', []]],
} as const satisfies Record<string, readonly (readonly [`${string}.${string}`, readonly ListTopic[]])[]>;

export type ActivityKind = (typeof KINDS)[keyof typeof KINDS][number][0];

export const ACTIVITY_KINDS = Object.entries(KINDS).map(([about, kinds]) => ({
  about,
  kinds: kinds.map(([kind]) => kind),
}));

export const LISTS_OF_KIND: ReadonlyMap<ActivityKind, readonly ListTopic[]> = new Map(
  Object.values(KINDS).flatMap<readonly [ActivityKind, readonly ListTopic[]]>((kinds) => kinds),
);

/** The name shown for an entry without a person, such as one of an import or a command. */
export const SYSTEM_NAME = 'The registry';

/** The words for what was done: the specification's where it has some, else those of the kind ('Vehicle updated'). */
export function activityWords({ kind, action }: { kind: string; action: string }): string {
  return action === '' ? kindWords(kind) : action;
}

/** 'second-factor.added' is 'Second factor added'. */
export function kindWords(kind: string): string {
  const words = kind.replace(/^reference(?=s?\.)/, 'weighbridge').replaceAll(/[.-]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
