// /profile/update (oneself) and /profile/update/{id} (an admin's, by an admin).
import { useState } from 'react';
import { Form } from 'react-router';
import { formatInstant } from '#app/platform/calendar.ts';
import { newFormKey } from '#app/platform/form-key.server.ts';
import { services } from '#app/platform/services.server.ts';
import { TextAreaField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { Note } from '#app/ui/note.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { useSaved } from '#app/ui/use-saved.ts';
import { Avatar } from '../avatar.tsx';
import { presentProfile } from '../present-profile.server.ts';
import { profileOf, updateProfileAction, type ProfileAnswer } from '../update-profile-door.server.ts';
import type { Route } from './+types/update-profile';

const IMAGE_MAX_BYTES = 15 * 1024 * 1024;

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Update profile · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const given = context.get(services);
  const profile = await profileOf(context, params.id);
  const { email, name, phone, address, gender, notes, version, addedAt, bornOn } = profile;
  return {
    formKey: newFormKey(),
    email,
    image: presentProfile(given, profile).image,
    addedAt: addedAt === null ? 'N/A' : formatInstant(addedAt, given.config.timeZone),
    values: { name, phone, address, gender, notes, dob: bornOn ?? '', version: String(version) },
  };
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  updateProfileAction(request, context, params.id);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ typed, cause }): ProfileAnswer => ({
    values: typed,
    errors: {},
    failure: `Error: ${cause}`,
  }));

export default function UpdateProfile({ loaderData, actionData, params }: Route.ComponentProps) {
  const { email, image, addedAt, formKey } = loaderData;
  const values = { ...loaderData.values, ...actionData?.values };
  const errors = actionData?.errors ?? {};
  const form = useFocusOnError(actionData);
  const [uploading, setUploading] = useState(0);
  useSaved(actionData?.saved);
  return (
    <main id="main" className="max-w-190">
      <h1 className="pb-5 text-xl">Update profile</h1>
      {actionData?.failure === undefined ? null : (
        <div className="pb-5">
          <Note kind="error">{actionData.failure}</Note>
        </div>
      )}
      <Form ref={form} method="post" encType="multipart/form-data" className="grid gap-5">
        <input type="hidden" name="form_key" value={formKey} />
        <input type="hidden" name="version" value={values.version} />
        <div className="card grid gap-5 p-5 max-row:p-4 sm:grid-cols-2">
          <TextField name="email" label="Email" hint="The email cannot be changed." defaultValue={email} readOnly />
          <TextField
            name="name"
            label="Name"
            hint="Required."
            required
            maxLength={200}
            autoComplete="name"
            defaultValue={values.name}
            error={errors.name}
          />
          <TextField
            name="phone"
            label="Phone"
            type="tel"
            maxLength={60}
            autoComplete="tel"
            defaultValue={values.phone}
            error={errors.phone}
          />
          <TextField
            name="address"
            label="Address"
            maxLength={300}
            autoComplete="address-line1"
            defaultValue={values.address}
            error={errors.address}
          />
          <TextField
            name="dob"
            label="Date of birth"
            type="date"
            autoComplete="bday"
            defaultValue={values.dob}
            error={errors.dob}
          />
          <TextField
            name="gender"
            label="Gender"
            maxLength={60}
            autoComplete="sex"
            defaultValue={values.gender}
            error={errors.gender}
          />
          <div className="sm:col-span-2">
            <TextAreaField
              name="notes"
              label="Notes"
              maxLength={4000}
              defaultValue={values.notes}
              error={errors.notes}
            />
          </div>
          <TextField name="added_at" label="Added at" defaultValue={addedAt} readOnly />
        </div>
        <div className="card p-5 max-row:p-4">
          <div className="flex items-center gap-4 pb-4">
            <Avatar name={values.name || email} src={image} large />
            <p className="text-ink-2">
              {image === undefined ? 'No picture yet: your initials stand in.' : 'Your picture now.'}
            </p>
          </div>
          <UploadField
            name="image"
            label="Image"
            hint="JPEG, PNG or WebP, up to 15 MB. Position and camera data are removed."
            accept="image/jpeg,image/png,image/webp"
            maxBytes={IMAGE_MAX_BYTES}
            kind="image"
            error={errors.image}
            onBusy={setUploading}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyText="Uploading data..." waiting={uploading > 0} done={actionData?.saved !== undefined}>
            Update
          </SubmitButton>
          <GoBack fallback={params.id === undefined ? '/my-profile' : '/dashboard'} />
        </div>
      </Form>
    </main>
  );
}
