// The form of a profile as it comes in, one's own or an admin's record, and the answer to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { MalformedForm } from '#app/files/read-multipart.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { listStaged } from '#app/files/stage-upload.server.ts';
import { isScripted, type ReadForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import type { Saved } from '#app/ui/use-saved.ts';
import type { profileSchema, ProfileInput } from './profile.ts';
import type { Profile } from './profile-queries.server.ts';
import { requireSignedIn, requireStillSignedIn } from './session.server.ts';
import { updateProfile, type ADMIN_UPDATED, type PROFILE_UPDATED } from './update-profile.server.ts';

type Field = keyof typeof profileSchema.shape | 'role';
/** What the form shows again. `staged`: a picture that was sent with the form and waits for it. */
export type ProfileAnswer = FormAnswer<Field> & { staged?: { id: string; name: string }[] };

/** In what one's own profile and an admin's record differ. */
export type ProfileForm = {
  /** Whose it is; undefined: removed meanwhile. */
  find: () => Promise<Profile | undefined>;
  read: (fields: ReadonlyMap<string, string>) => ReadForm<ProfileInput & { role?: string }, Field>;
  entry: typeof PROFILE_UPDATED | typeof ADMIN_UPDATED;
  saved: Saved;
};

const REMOVED = 'Error: record-removed. This person was removed meanwhile. Nothing was saved.';

export async function receiveProfile(request: Request, context: Readonly<RouterContextProvider>, form: ProfileForm) {
  const given = context.get(services);
  const who = requireSignedIn(context);
  let values: ProfileAnswer['values'] = {};
  let staged: { id: string; name: string }[] = [];
  const refuse = (status: number, failure: string) =>
    data<ProfileAnswer>({ values, errors: {}, failure, staged }, { status });
  try {
    const received = await receiveForm(given, who.personId, request, { image: 'image' });
    await requireStillSignedIn(given, request, who);
    const read = form.read(received.fields);
    const image = received.refused.get('image_file');
    values = read.values;
    staged = await listStaged(given.db, who.personId, [received.fields.get('image') ?? '']);
    if (received.notStored !== undefined) throw received.notStored;
    if (!read.ok || image !== undefined) {
      const errors = { ...(read.ok ? {} : read.errors), ...(image === undefined ? {} : { image }) };
      return data<ProfileAnswer>({ values, errors, staged }, { status: 400 });
    }
    const target = await form.find();
    if (target === undefined) return refuse(410, REMOVED);
    const key = received.fields.get('form_key');
    const answer = await updateProfile(given, who, target, read.input, key, form.entry);
    if (answer.updated) return saved(request, form.saved);
    if (answer.reason === 'gone') return refuse(410, REMOVED);
    if (answer.reason === 'image-missing')
      return data<ProfileAnswer>(
        { values: { ...values, image: '' }, errors: { image: 'The picture is no longer here. Choose it again.' } },
        { status: 400 },
      );
    values = { ...values, version: String(answer.now.version) };
    return refuse(409, staleSentence(read.input, answer.now));
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse(400, 'Error: form-malformed. The form broke off on its way. Send it again.');
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a profile was not saved');
    return refuse(503, 'Error: registry-unavailable. Nothing was saved. Try again in a moment.');
  }
}

function saved(request: Request, to: Saved) {
  if (!isScripted(request)) return redirect(to.to, { status: 303, headers: { 'set-cookie': carryNotice(to.notice) } });
  return data<ProfileAnswer>({ values: {}, errors: {}, saved: to });
}

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
    `Error: changed-meanwhile. Nothing was saved, as ${now.updatedBy ?? 'somebody'} changed this profile meanwhile.`,
    ...differing,
    'What you typed is still here: press Update to save it.',
  ].join(' ');
}
