// A profile and its activities, formatted for the page.
import { formatDay, formatStated, todayIn } from '#app/platform/time/calendar.ts';
import { listActivitiesOf } from '#app/activity-log/queries.server.ts';
import { activityWords } from '#app/activity-log/activity.ts';
import type { ShownActivity } from '#app/activity-log/activity-list.tsx';
import type { Services } from '#app/platform/services/services.server.ts';
import { may } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { suspensionsWords } from './good-standing.ts';
import type { Profile } from './profile-queries.server.ts';
import { admissionsOf } from './admissions.server.ts';

const LATEST = 20;

export type PresentProfile = Pick<
  Profile,
  'personId' | 'name' | 'email' | 'phone' | 'address' | 'gender' | 'notes' | 'addedBy' | 'updatedBy'
> & {
  role: string;
  dob: string | null;
  addedAt: string | null;
  updatedAt: string | null;
  image: string | undefined;
};

export function presentProfile({ config }: Pick<Services, 'config'>, profile: Profile): PresentProfile {
  const at = (instant: Date | null) => (instant === null ? null : formatStated(instant, config.timeZone));
  return {
    personId: profile.personId,
    name: profile.name,
    email: profile.email,
    phone: profile.phone,
    address: profile.address,
    role: profile.roleLabel,
    dob: profile.bornOn === null ? null : formatDay(profile.bornOn),
    gender: profile.gender,
    notes: profile.notes,
    addedAt: at(profile.addedAt),
    addedBy: profile.addedBy,
    updatedAt: at(profile.updatedAt),
    updatedBy: profile.updatedBy,
    image: portraitHref(profile),
  };
}

/** The URL of a person's picture; undefined when they have none. */
export function portraitHref({ personId, imageId }: Pick<Profile, 'personId' | 'imageId'>): string | undefined {
  return imageId === null ? undefined : `/portraits/${personId}?v=${imageId.slice(0, 8)}`;
}

/** A person's own latest entries in the activity log. */
export async function presentActivities({ db, config }: Services, personId: string): Promise<ShownActivity[]> {
  const activities = await listActivitiesOf(db, personId, LATEST);
  return activities.map((activity) => ({
    index: activity.index,
    words: activityWords(activity),
    details: activity.details,
    when: `${formatStated(activity.occurredAt, config.timeZone)}${activity.imported ? ' (imported)' : ''}`,
  }));
}

/** The suspensions of a technician, in words for their own page, without the reasons. Null when there is none. */
export async function presentSuspensions(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  { personId, role }: Pick<SignedIn, 'personId' | 'role'>,
): Promise<string | null> {
  // Who works in the office passes.
  if (may(role, 'read people')) return null;
  const admissions = (await admissionsOf(db, personId, config.timeZone)) ?? [];
  const suspensions = admissions.filter(({ to }) => to === null).flatMap((admission) => admission.suspensions);
  return suspensionsWords(suspensions, todayIn(config.timeZone, now()), 'Your');
}
