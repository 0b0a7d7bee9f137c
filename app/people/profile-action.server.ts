// Saves a parsed profile form and answers its sender. Shared by one's own profile and an admin's record.
import { FAILURES } from '#app/forms/failures.ts';
import type { z } from 'zod';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { refuseStale } from '#app/forms/refuse-stale.server.ts';
import { refused, type Outcome, type Submission, type Next } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { ProfileInput } from './profile.ts';
import { profileTexts, type Profile } from './profile-queries.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { updateProfile, type ProfileEntry } from './update-profile.server.ts';

/** The settings that both forms pass to `submitForm`. */
export const PROFILE_FORM = { failure: FAILURES.profile, uploads: { image: 'image' } } as const;

/** The answer when the picture of a form was uploaded too long ago. */
export const PICTURE_GONE = refused(400, {
  fileErrors: { image: 'Unsaved pictures are kept for one day, and this one is gone. Choose it again.' },
  temporaryUploads: {},
});

/** `target`: the stored profile; undefined when the person was removed in the meantime. */
export async function saveProfile(
  context: Submission['context'],
  target: Profile | undefined,
  {
    input,
    key,
    form,
    schema,
    entry,
    saved,
  }: {
    input: ProfileInput & { role?: string };
    key: unknown;
    form: ReceivedForm;
    schema: z.ZodObject;
    entry: ProfileEntry;
    saved: Next;
  },
): Promise<Outcome<keyof ProfileInput>> {
  const answer =
    target === undefined
      ? REMOVED
      : await updateProfile(context.get(servicesContext), requireSignedIn(context), { target, input, key, entry });
  if (answer.updated) return { saved };
  switch (answer.reason) {
    case 'gone':
      return refused(410, {
        code: 'record-removed',
        sentence: 'This person was removed in the meantime. Nothing was saved.',
      });
    case 'image-missing':
      return PICTURE_GONE;
    case 'stale': {
      const { version, updatedBy } = answer.now;
      const now = { what: 'profile', version, by: updatedBy ?? 'Somebody', texts: profileTexts(answer.now) } as const;
      return refuseStale(schema, form, { now, button: 'Update' });
    }
  }
}

const REMOVED = { updated: false, reason: 'gone' } as const;
