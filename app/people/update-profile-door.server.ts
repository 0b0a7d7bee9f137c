// The form of a profile, one's own or an admin's record, as it was parsed: saved, and the answer to its sender.
import { FAILURES } from '#app/forms/failures.ts';
import type { z } from 'zod';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { refused, type Outcome, type Submission, type Next } from '#app/forms/submit-form.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import type { ProfileInput } from './profile.ts';
import type { Profile } from './profile-queries.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { updateProfile, type ADMIN_UPDATED, type PROFILE_UPDATED } from './update-profile.server.ts';

/** What one's own profile and an admin's record have in common as forms. */
export const PROFILE_FORM = { failure: FAILURES.profile, uploads: { image: 'image' } } as const;

/** `target`: whose it is; undefined: removed meanwhile. */
export async function saveProfile(
  context: Submission['context'],
  target: Profile | undefined,
  { input, formKey, form }: { input: ProfileInput & { role?: string }; formKey: unknown; form: ReceivedForm },
  { schema, entry, saved }: { schema: z.ZodObject; entry: typeof PROFILE_UPDATED | typeof ADMIN_UPDATED; saved: Next },
): Promise<Outcome<keyof ProfileInput>> {
  const answer =
    target === undefined
      ? REMOVED
      : await updateProfile(context.get(services), requireSignedIn(context), target, input, formKey, entry);
  if (answer.updated) return { saved };
  switch (answer.reason) {
    case 'gone':
      return refused(410, { cause: 'record-removed. This person was removed in the meantime. Nothing was saved.' });
    case 'image-missing':
      return refused(400, {
        fileErrors: { image: 'Unsaved pictures are kept for one day, and this one is gone. Choose it again.' },
        staged: {},
      });
    case 'stale':
      return refuseStale(schema, form, standingOf(answer.now), 'Update');
  }
}

const REMOVED = { updated: false, reason: 'gone' } as const;

const standingOf = (now: Profile) =>
  ({
    what: 'profile',
    version: now.version,
    by: now.updatedBy ?? 'Somebody',
    texts: {
      name: now.name,
      phone: now.phone,
      address: now.address,
      role: now.roleLabel,
      dob: now.bornOn ?? '',
      gender: now.gender,
      notes: now.notes,
    },
  }) as const;
