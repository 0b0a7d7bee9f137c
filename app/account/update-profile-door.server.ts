// The form of a profile as it comes in, and the answer to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { MalformedForm } from '#app/files/read-multipart.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { isScripted, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { parseEmailKey } from './account.ts';
import { profileSchema, type ProfileInput } from './profile.ts';
import { findAdminByEmail, findProfile, type Profile } from './profile-queries.server.ts';
import { requireSignedIn, requireStillSignedIn } from './session.server.ts';
import { updateProfile } from './update-profile.server.ts';

type Field = keyof typeof profileSchema.shape;
/** What the form shows again. `saved`: it was saved, and the page goes on by itself. */
export type ProfileAnswer = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  failure?: string;
  saved?: { notice: 'profile-updated'; to: string };
};

/** The profile of the route's id (an admin's key), else one's own. Throws 404 when there is none. */
export async function profileOf(context: Readonly<RouterContextProvider>, id: string | undefined): Promise<Profile> {
  const { db } = context.get(services);
  const email = id === undefined ? undefined : parseEmailKey(id);
  const other = email === undefined ? undefined : await findAdminByEmail(db, email);
  const target = id === undefined ? requireSignedIn(context) : other && ({ role: 'admin', ...other } as const);
  const profile = target === undefined ? undefined : await findProfile(db, target);
  if (profile === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return profile;
}

export async function updateProfileAction(
  request: Request,
  context: Readonly<RouterContextProvider>,
  id: string | undefined,
) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  let values: ProfileAnswer['values'] = {};
  const refuse = (status: number, failure: string, errors: ProfileAnswer['errors'] = {}) =>
    data<ProfileAnswer>({ values, errors, failure }, { status });
  try {
    const target = await profileOf(context, id);
    const received = await receiveForm(given, who.personId, request, { image: 'image' });
    await requireStillSignedIn(given, request, who);
    const form = readForm(profileSchema, received.fields);
    const image = received.refused.get('image_file');
    values = form.values;
    if (!form.ok || image !== undefined) {
      const errors = { ...(form.ok ? {} : form.errors), ...(image === undefined ? {} : { image }) };
      return data<ProfileAnswer>({ values, errors }, { status: 400 });
    }
    const answer = await updateProfile(given, who, target, form.input, received.fields.get('form_key'));
    if (answer.updated) return saved(request, id);
    if (answer.reason === 'gone') return refuse(410, 'Error: record-removed. This person was removed meanwhile.');
    if (answer.reason === 'image-missing')
      return data<ProfileAnswer>(
        { values: { ...values, image: '' }, errors: { image: 'The picture is no longer here. Choose it again.' } },
        { status: 400 },
      );
    values = { ...values, version: String(answer.now.version) };
    return refuse(409, staleSentence(form.input, answer.now));
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse(400, 'Error: form-malformed. The form broke off on its way. Send it again.');
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a profile was not saved');
    return refuse(503, 'Error: registry-unavailable. Nothing was saved. Try again in a moment.');
  }
}

function saved(request: Request, id: string | undefined) {
  const to = id === undefined ? '/my-profile' : `/admins/view/${encodeURIComponent(id)}`;
  if (!isScripted(request))
    return redirect(to, { status: 303, headers: { 'set-cookie': carryNotice('profile-updated') } });
  return data<ProfileAnswer>({ values: {}, errors: {}, saved: { notice: 'profile-updated', to } });
}

const LABELS = { name: 'Name', phone: 'Phone', address: 'Address', gender: 'Gender', notes: 'Notes' } as const;

// Both versions of each field that differs: what was typed stays in the form, what stands is named here.
function staleSentence(typed: ProfileInput, now: Profile): string {
  const differing = (['name', 'phone', 'address', 'gender', 'notes'] as const)
    .filter((field) => now[field] !== typed[field])
    .map((field) => `${LABELS[field]} is now “${now[field] === '' ? 'empty' : now[field].slice(0, 200)}”.`);
  return [
    `Error: changed-meanwhile. Nothing was saved, as ${now.updatedBy ?? 'somebody'} changed this profile meanwhile.`,
    ...differing,
    'What you typed is still here: press Update to save it.',
  ].join(' ');
}
