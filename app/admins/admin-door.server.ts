// The forms for admins as they come in, and the answers to their senders.
import { FAILURES } from '#app/forms/failures.ts';
import { redirect, type RouterContextProvider } from 'react-router';
import { parseEmailKey } from '#app/people/email.ts';
import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { findProfile, type Profile } from '#app/people/profile-queries.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { ADMIN_UPDATED } from '#app/people/update-profile.server.ts';
import { PROFILE_FORM, saveProfile } from '#app/people/update-profile-door.server.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { isScripted } from '#app/platform/http/form.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { addAdmin } from './add-admin.server.ts';
import { addAdminSchema, adminSchema } from './admin.ts';
import { findAdmin } from './queries.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The address that a page's id stands for; leads to its one spelling. Throws 404 when it is none. */
export function emailOf(page: 'view' | 'update' | 'delete' | 'erase', id: string): string {
  const email = parseEmailKey(id);
  if (email === undefined) throw missingPerson('admin', id);
  if (emailKey(email) !== id) throw redirect(`/admins/${page}/${emailSegment(email)}`, 301);
  return email;
}

/** The live admin with this address. */
async function findAdminProfile(context: Context, email: string): Promise<Profile | undefined> {
  const { db } = context.get(services);
  const found = await findAdmin(db, email);
  return found.state === 'live' ? findProfile(db, { role: 'admin', recordId: found.recordId }) : undefined;
}

/** The same for a page about them. Their own page says that one is unknown, or when they were removed. */
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
    write: async (sent) =>
      saveProfile(context, await findAdminProfile(context, email), sent, {
        schema: adminSchema,
        entry: ADMIN_UPDATED,
        saved: { notice: 'admin-updated', to: `/admins/view/${emailSegment(email)}` },
      }),
  });
}

export async function addAction(submission: Submission) {
  const { request, context } = submission;
  return submitForm(submission, {
    failure: FAILURES.addAdmin,
    schema: addAdminSchema,
    uploads: { image: 'image' },
    // Without scripts the page is made anew, and a password is never sent back.
    again: isScripted(request) ? {} : { password: 'Type the password again: it is never sent back.' },
    async write({ input, formKey }) {
      const answer = await addAdmin(context.get(services), requireSignedIn(context), input, formKey);
      if (answer.added) return { saved: { notice: 'admin-added', to: '/admins' } };
      switch (answer.reason) {
        case 'password':
          return refused(400, { errors: { password: answer.message } });
        case 'image-missing':
          return refused(400, {
            fileErrors: { image: 'Unsaved pictures are kept for one day, and this one is gone. Choose it again.' },
            staged: {},
          });
        case 'email-in-use':
          return refused(409, {
            cause: 'email-already-in-use. An account with this address exists.',
            errors: { email: 'An account with this address exists.' },
          });
      }
    },
  });
}
