// Every kind of activity log entry, the lists that it may change, and the words for it.
import type { ListTopic, Topic } from './topic.ts';

const OF_VEHICLE = ['vehicles', 'public-log'] as const;
const OF_ADMIN = ['admins'] as const;
const OF_APPLICATION = ['applications'] as const;
// Pages of readings also show whether the recorder still has access.
const ACCESS_OF_ADMIN = ['admins', 'recorders'] as const;
const ACCESS_OF_TECHNICIAN = ['technicians', 'recorders', 'public-log'] as const;

const SUBJECTS = ['Vehicles', 'Calibrations', 'People', 'Signing in', 'The registry', 'Former registry'] as const;

// Every kind of entry (`noun.past-participle`): what it is about, and its list topics. `topicsOf` adds 'logs' to each,
// because the page of the log shows every entry.
const KINDS = {
  'vehicle.added': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.updated': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.validated': { about: 'Vehicles', lists: OF_VEHICLE },
  'validation.withdrawn': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.removed': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.restored': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.imported': { about: 'Vehicles', lists: OF_VEHICLE },
  'vehicle.followed': { about: 'Vehicles', lists: [] },
  'vehicle.unfollowed': { about: 'Vehicles', lists: [] },
  'calibration.recorded': { about: 'Calibrations', lists: OF_VEHICLE },
  'calibration-set.recorded': { about: 'Calibrations', lists: OF_VEHICLE },
  'calibration.corrected': { about: 'Calibrations', lists: OF_VEHICLE },
  'calibration.imported': { about: 'Calibrations', lists: OF_VEHICLE },
  'calibration.updated': { about: 'Calibrations', lists: OF_VEHICLE },
  'admin.added': { about: 'People', lists: ACCESS_OF_ADMIN },
  'admin.updated': { about: 'People', lists: OF_ADMIN },
  'admin.removed': { about: 'People', lists: ACCESS_OF_ADMIN },
  'admin.imported': { about: 'People', lists: ACCESS_OF_ADMIN },
  'application.submitted': { about: 'People', lists: OF_APPLICATION },
  'application.updated': { about: 'People', lists: OF_APPLICATION },
  'application.deleted': { about: 'People', lists: OF_APPLICATION },
  'application.imported': { about: 'People', lists: OF_APPLICATION },
  'technician.approved': { about: 'People', lists: [...OF_APPLICATION, ...ACCESS_OF_TECHNICIAN] },
  'technician.updated': { about: 'People', lists: ['technicians', 'public-log'] },
  'technician.removed': { about: 'People', lists: ACCESS_OF_TECHNICIAN },
  'technician.imported': { about: 'People', lists: ACCESS_OF_TECHNICIAN },
  // Depends on the person's role: see PROFILES.
  'profile.updated': { about: 'People', lists: [] },
  // The pages of vehicles show names too.
  'person.erased': { about: 'People', lists: [...OF_ADMIN, ...ACCESS_OF_TECHNICIAN, 'vehicles'] },
  'password.set': { about: 'Signing in', lists: [] },
  'password.changed': { about: 'Signing in', lists: [] },
  'password.reset': { about: 'Signing in', lists: [] },
  'second-factor.added': { about: 'Signing in', lists: [] },
  'second-factor.removed': { about: 'Signing in', lists: [] },
  'recovery-codes.renewed': { about: 'Signing in', lists: [] },
  'policy.changed': { about: 'The registry', lists: ['policy', ...OF_VEHICLE] },
  'record.changed': { about: 'Former registry', lists: [] },
} as const satisfies Record<`${string}.${string}`, { about: (typeof SUBJECTS)[number]; lists: readonly ListTopic[] }>;

export type ActivityKind = keyof typeof KINDS;
export const isActivityKind = (name: string): name is ActivityKind => Object.hasOwn(KINDS, name);

/** The kinds by what they are about, as the filter of the log lists them. */
export const ACTIVITY_KINDS = SUBJECTS.map((about) => ({
  about,
  kinds: Object.keys(KINDS)
    .filter(isActivityKind)
    .filter((kind) => KINDS[kind].about === about),
}));

/** What a write concerns. `persons`: the ids of who acted and who is affected; their own pages reload. */
export type Concerns = { kind: ActivityKind; subject?: string; rego?: string; persons?: readonly string[] };

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: ['admins'], technician: ['technicians'] };

/**
 * Every topic that a write publishes: those whose pages it may change. They follow from its kind and from what it
 * concerns, so that a write cannot leave out a page.
 */
export function topicsOf({ kind, subject = '', rego, persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : KINDS[kind].lists;
  return [
    ...lists,
    ...(rego === undefined ? [] : [`vehicle:${rego}` as const]),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}

/** The name shown for an entry without a person, such as one of an import or a command. */
export const SYSTEM_NAME = 'The registry';

/** The words for what was done: the specification's where it has some, else those of the kind ('Vehicle updated'). */
export function activityWords({ kind, action }: { kind: string; action: string }): string {
  return action === '' ? kindWords(kind) : action;
}

/** 'second-factor.added' is 'Second factor added'. */
export function kindWords(kind: string): string {
  const words = kind.replaceAll(/[.-]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
