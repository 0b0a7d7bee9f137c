import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { formatStated } from '#app/platform/time/calendar.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { titled } from '#app/ui/page-title.ts';
import { PortraitAndButtons } from '../portrait-and-buttons.tsx';
import { presentProfile } from '../present-profile.server.ts';
import { findProfile } from '../profile-queries.server.ts';
import { profileSchema } from '../profile.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { PROFILE_UPDATED } from '../update-profile.server.ts';
import { PROFILE_FORM, saveProfile } from '../profile-action.server.ts';
import type { Route } from './+types/update-profile';

export const meta = titled('Update profile');

const ownProfile = (context: Route.LoaderArgs['context']) =>
  findProfile(context.get(servicesContext).db, requireSignedIn(context));

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const profile = await ownProfile(context);
  if (profile === undefined) throw new Error('the signed-in user has no profile');
  const { email, name, phone, address, gender, notes, version, addedAt, bornOn } = profile;
  return {
    idempotencyKey: newIdempotencyKey(),
    email,
    image: presentProfile(services, profile).image,
    addedAt: addedAt === null ? 'N/A' : formatStated(addedAt, services.config.timeZone),
    values: { name, phone, address, gender, notes, dob: bornOn ?? '', version: String(version) },
  };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    ...PROFILE_FORM,
    schema: profileSchema,
    write: async (sent) =>
      saveProfile(args.context, await ownProfile(args.context), {
        ...sent,
        schema: profileSchema,
        entry: PROFILE_UPDATED,
        saved: { flash: 'profile-updated', to: '/my-profile' },
      }),
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.profile);

export default function UpdateProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { email, image, addedAt, idempotencyKey } = loaderData;
  const values = { ...loaderData.values, ...actionData?.values };
  return (
    <main id="main" className="max-w-190">
      <h1 className="pb-5 text-xl">Update profile</h1>
      <FormNotes answer={actionData} />
      <AnswerForm
        answer={actionData}
        idempotencyKey={idempotencyKey}
        encType="multipart/form-data"
        className="grid gap-5"
        noValidate={false}
      >
        <input type="hidden" name="version" value={values.version} />
        <EditedFields opened={loaderData.values} answer={actionData}>
          <div className="card grid gap-5 p-5 max-row:p-4 sm:grid-cols-2">
            <TextField
              name="email"
              label="Email"
              hint="The email cannot be changed."
              type="email"
              defaultValue={email}
              readOnly
            />
            <TextField name="name" label="Name" hint="Required." required maxLength={200} autoComplete="name" />
            <TextField name="phone" label="Phone" type="tel" maxLength={60} autoComplete="tel" />
            <TextField name="address" label="Address" maxLength={300} autoComplete="address-line1" />
            <TextField name="dob" label="Date of birth" type="date" autoComplete="bday" />
            <TextField name="gender" label="Gender" maxLength={60} autoComplete="sex" />
            <div className="sm:col-span-2">
              <TextAreaField name="notes" label="Notes" maxLength={4000} />
            </div>
            <TextField name="added_at" label="Added at" defaultValue={addedAt} readOnly />
          </div>
        </EditedFields>
        <PortraitAndButtons
          name={values.name || email}
          src={image}
          caption={image === undefined ? 'No picture yet. Your initials are shown instead.' : 'Your current picture.'}
          button="Update"
          back="/my-profile"
        />
      </AnswerForm>
    </main>
  );
}
