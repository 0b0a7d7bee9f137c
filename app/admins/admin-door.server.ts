// The forms for admins as they come in, and the answers to their senders.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { parseEmailKey } from '#app/account/account.ts';
import { emailKey, emailSegment } from '#app/account/email-key.ts';
import { findProfile, type Profile } from '#app/account/profile-queries.server.ts';
import { requireSignedIn, requireStillSignedIn } from '#app/account/session.server.ts';
import { ADMIN_UPDATED } from '#app/account/update-profile.server.ts';
import { receiveProfile } from '#app/account/update-profile-door.server.ts';
import { MalformedForm } from '#app/files/read-multipart.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { listStaged } from '#app/files/stage-upload.server.ts';
import { isScripted, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { addAdmin } from './add-admin.server.ts';
import { addAdminSchema, adminSchema } from './admin.ts';
import type { AdminAnswer } from './admin-form.tsx';
import { findAdmin } from './queries.server.ts';

type Context = Readonly<RouterContextProvider>;

export const ADD_FAILURE = 'Error adding Admin:';

/** The address that a page's id stands for; leads to its one spelling. Throws 404 when it is none. */
export function emailOf(page: 'view' | 'update' | 'delete' | 'erase', id: string): string {
  const email = parseEmailKey(id);
  if (email === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
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

export function updateAction(request: Request, context: Context, id: string) {
  const email = emailOf('update', id);
  return receiveProfile(request, context, {
    find: () => findAdminProfile(context, email),
    read: (fields) => readForm(adminSchema, fields),
    entry: ADMIN_UPDATED,
    saved: { notice: 'admin-updated', to: `/admins/view/${emailSegment(email)}` },
  });
}

export async function addAction(request: Request, context: Context) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  let values: AdminAnswer['values'] = {};
  let staged: { id: string; name: string }[] = [];
  const refuse = (status: number, errors: AdminAnswer['errors'], cause?: string) => {
    // Without scripts the page is made anew, and a password is never sent back.
    const again = isScripted(request) ? {} : { password: 'Type the password again: it is never sent back.' };
    const failure = cause === undefined ? {} : { failure: `${ADD_FAILURE} ${cause}` };
    return data<AdminAnswer>({ values, errors: { ...again, ...errors }, staged, ...failure }, { status });
  };
  try {
    const received = await receiveForm(given, who.personId, request, { image: 'image' });
    await requireStillSignedIn(given, request, who);
    const form = readForm(addAdminSchema, received.fields);
    values = form.values;
    staged = await listStaged(given.db, who.personId, [received.fields.get('image') ?? '']);
    if (received.notStored !== undefined) throw received.notStored;
    const image = received.refused.get('image_file');
    if (!form.ok || image !== undefined)
      return refuse(400, { ...(form.ok ? {} : form.errors), ...(image === undefined ? {} : { image }) });
    const answer = await addAdmin(given, who, form.input, received.fields.get('form_key'));
    if (answer.added) return added(request);
    if (answer.reason === 'password') return refuse(400, { password: answer.message });
    if (answer.reason === 'image-missing')
      return refuse(400, { image: 'The picture is no longer here. Choose it again.' });
    return refuse(
      409,
      { email: 'An account with this address exists.' },
      'email-already-in-use. An account with this address exists.',
    );
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse(400, {}, 'form-malformed. The form broke off on its way. Send it again.');
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'an admin was not added');
    return refuse(503, {}, 'registry-unavailable. Nothing was saved. Try again in a moment.');
  }
}

function added(request: Request) {
  const saved = { notice: 'admin-added', to: '/admins' } as const;
  if (!isScripted(request))
    return redirect(saved.to, { status: 303, headers: { 'set-cookie': carryNotice(saved.notice) } });
  return data<AdminAnswer>({ values: {}, errors: {}, saved });
}
