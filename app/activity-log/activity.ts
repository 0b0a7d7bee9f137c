// What the activity log tells of: every kind of entry there is, and its words.

/** Every kind of entry, grouped by what it is about. `noun.past-participle`; a filter offers them in this order. */
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
  { about: 'The registry', kinds: ['policy.changed'] },
  { about: 'Former registry', kinds: ['record.changed'] },
] as const satisfies readonly { about: string; kinds: readonly `${string}.${string}`[] }[];

export type ActivityKind = (typeof ACTIVITY_KINDS)[number]['kinds'][number];

/** Who wrote an entry that no person did: an import, a command. */
export const SYSTEM_NAME = 'The registry';

/** What an entry says was done: the specification's words where it has them, else the kind's ('Vehicle updated'). */
export function activityWords({ kind, action }: { kind: string; action: string }): string {
  return action === '' ? kindWords(kind) : action;
}

/** 'second-factor.added' is 'Second factor added'. */
export function kindWords(kind: string): string {
  const words = kind.replaceAll(/[.-]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
