// The actions that add and update an admin, and the look-ups that the admin pages share.
import { FAILURES } from '#app/forms/failures.ts';
import { redirect, type RouterContextProvider } from 'react-router';
import { parseEmailKey } from '#app/people/email.ts';
import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { findProfile, type Profile } from '#app/people/profile-queries.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { recordUpdated } from '#app/people/update-profile.server.ts';
import { PICTURE_GONE, PROFILE_FORM, saveProfile } from '#app/people/profile-action.server.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { isScripted } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { addAdmin } from './add-admin.server.ts';
import { addAdminSchema, adminSchema } from './admin.ts';
import { findStaff } from './queries.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The email address of a page's id. Throws a 404 when it is not one, and a redirect to its canonical spelling. */
export function emailOf(page: 'view' | 'update' | 'delete' | 'erase', id: string): string {
  const email = parseEmailKey(id);
  if (email === undefined) throw missingPerson('admin', id);
  if (emailKey(email) !== id) throw redirect(`/admins/${page}/${emailSegment(email)}`, 301);
  return email;
}

/** The profile of the live admin with this address. */
async function findAdminProfile(context: Context, email: string): Promise<Profile | undefined> {
  const { db } = context.get(servicesContext);
  const found = await findStaff(db, email);
  return found.state === 'live' ? findProfile(db, found) : undefined;
}

/** The same, or a thrown redirect to the admin's view page, which explains an unknown or removed admin. */
export async function adminOf(context: Context, email: string): Promise<Profile> {
  const profile = await findAdminProfile(context, email);
  if (profile === undefined) throw redirect(`/admins/view/${emailSegment(email)}`);
  return profile;
}

export function updateAction(submission: Submission, id: string) {
  const { context } = submission;
  const email = emailOf('update', id);
  return submitForm(submission, {
    ...PROFILE_FORM,
    schema: adminSchema,
    async write(sent) {
      const profile = await findAdminProfile(context, email);
      return saveProfile(context, profile, {
        ...sent,
        schema: adminSchema,
        entry: recordUpdated(profile?.role ?? 'admin'),
        saved: { flash: 'admin-updated', to: `/admins/view/${emailSegment(email)}` },
      });
    },
  });
}

export async function addAction(submission: Submission) {
  const { request, context } = submission;
  return submitForm(submission, {
    failure: FAILURES.addAdmin,
    schema: addAdminSchema,
    uploads: { image: 'image' },
    // Without scripts the server renders the form again, and it never sends a password back.
    again: isScripted(request) ? {} : { password: 'Type the password again: it is never sent back.' },
    async write({ input, key }) {
      const answer = await addAdmin(context.get(servicesContext), requireSignedIn(context), { input, key });
      if (answer.added) return { saved: { flash: 'admin-added', to: '/admins' } };
      switch (answer.reason) {
        case 'password':
          return refused(400, { errors: { password: answer.message } });
        case 'image-missing':
          return PICTURE_GONE;
        case 'email-in-use':
          return refused(409, {
            code: 'email-already-in-use',
            sentence: 'An account with this address exists.',
            errors: { email: 'An account with this address exists.' },
          });
      }
    },
  });
}
