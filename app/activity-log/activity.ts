// Every kind of activity log entry, and the words for it.

/** Every kind of entry (`noun.past-participle`), grouped by subject. The filter of the log lists them in this order. */
export const ACTIVITY_KINDS = [
  {
    about: 'Vehicles',
    kinds: [
      'vehicle.added',
      'vehicle.updated',
      'vehicle.validated',
      'validation.withdrawn',
      'vehicle.removed',
      'vehicle.restored',
      'vehicle.imported',
      'vehicle.followed',
      'vehicle.unfollowed',
      'list.followed',
      'list.unfollowed',
    ],
  },
  {
    about: 'Calibrations',
    kinds: [
      'calibration.recorded',
      'calibration-set.recorded',
      'calibration.corrected',
      'calibration.imported',
      'calibration.updated',
      'visit.closed',
      'visit.accepted',
      'visit.set-aside',
      'visit.matched',
      'photo.hidden',
      'check-visit.asked',
      'check-visit.drawn',
      'check-visit.done',
      'check-visit.reopened',
      'check-visit.lapsed',
      'check-visit.withdrawn',
    ],
  },
  {
    about: 'Patterns',
    kinds: [
      'pattern.looked',
      'pattern.found',
      'pattern.opened',
      'pattern.asked',
      'pattern.answered',
      'pattern.decided',
    ],
  },
  {
    about: 'People',
    kinds: [
      'admin.added',
      'admin.updated',
      'admin.removed',
      'admin.imported',
      'application.submitted',
      'application.updated',
      'application.deleted',
      'application.imported',
      'technician.approved',
      'technician.updated',
      'technician.suspended',
      'technician.reinstated',
      'technician.removed',
      'technician.imported',
      'profile.updated',
      'person.erased',
    ],
  },
  {
    about: 'Signing in',
    kinds: [
      'password.set',
      'password.changed',
      'password.reset',
      'second-factor.added',
      'second-factor.removed',
      'recovery-codes.renewed',
    ],
  },
  {
    about: 'Weighbridges',
    kinds: [
      'reference.added',
      'reference.updated',
      'verification.added',
      'verification.withdrawn',
      'repair.added',
      'references.imported',
      'withdrawal.proposed',
      'withdrawal.confirmed',
      'withdrawal.dropped',
      'reference.withdrawn',
      'lift.proposed',
      'lift.confirmed',
      'lift.dropped',
      'reference.reinstated',
    ],
  },
  { about: 'The registry', kinds: ['policy.changed', 'policy.proposed', 'policy.withdrawn'] },
  { about: 'Former registry', kinds: ['record.changed'] },
] as const satisfies readonly { about: string; kinds: readonly `${string}.${string}`[] }[];

export type ActivityKind = (typeof ACTIVITY_KINDS)[number]['kinds'][number];

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
