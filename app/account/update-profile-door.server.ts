// The form of a profile, one's own or an admin's record, as it was parsed: saved, and the answer to its sender.
import { FAILURES } from '#app/forms/failures.ts';
import { refused, type Outcome, type Submission } from '#app/forms/submit-form.server.ts';
import { services } from '#app/platform/services.server.ts';
import type { Saved } from '#app/ui/use-saved.ts';
import type { ProfileInput } from './profile.ts';
import type { Profile } from './profile-queries.server.ts';
import { requireSignedIn } from './session.server.ts';
import { updateProfile, type ADMIN_UPDATED, type PROFILE_UPDATED } from './update-profile.server.ts';

/** What one's own profile and an admin's record have in common as forms. */
export const PROFILE_FORM = { failure: FAILURES.profile, uploads: { image: 'image' } } as const;

/** `target`: whose it is; undefined: removed meanwhile. */
export async function saveProfile(
  context: Submission['context'],
  target: Profile | undefined,
  { input, formKey }: { input: ProfileInput & { role?: string }; formKey: unknown },
  { entry, saved }: { entry: typeof PROFILE_UPDATED | typeof ADMIN_UPDATED; saved: Saved },
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
      return refused(400, { fileErrors: { image: 'The picture is no longer here. Choose it again.' }, staged: {} });
    case 'stale':
      return refused(409, {
        cause: staleSentence(input, answer.now),
        values: { version: String(answer.now.version) },
      });
  }
}

const REMOVED = { updated: false, reason: 'gone' } as const;

// Both versions of each field that differs: what was typed stays in the form, what stands is named here.
function staleSentence(typed: ProfileInput & { role?: string }, now: Profile): string {
  const both = [
    ['Name', typed.name, now.name],
    ['Phone', typed.phone, now.phone],
    ['Address', typed.address, now.address],
    ['Role', typed.role ?? now.roleLabel, now.roleLabel],
    ['Date of birth', typed.dob ?? '', now.bornOn ?? ''],
    ['Gender', typed.gender, now.gender],
    ['Notes', typed.notes, now.notes],
  ] as const;
  const differing = both
    .filter(([, mine, theirs]) => mine !== theirs)
    .map(([label, , theirs]) => `${label} is now “${theirs === '' ? 'empty' : theirs.slice(0, 200)}”.`);
  return [
    `changed-meanwhile. Nothing was saved, as ${now.updatedBy ?? 'somebody'} changed this profile meanwhile.`,
    ...differing,
    'What you typed is still here: press Update to save it.',
  ].join(' ');
}
