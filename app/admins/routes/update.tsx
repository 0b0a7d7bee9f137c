import { FAILURES } from '#app/forms/failures.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { presentProfile } from '#app/people/present-profile.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { sendForm } from '#app/ui/keep-typed.ts';
import { useOpenedForm } from '#app/ui/use-opened-form.ts';
import { adminOf, emailOf, updateAction } from '../admin-door.server.ts';
import { AdminForm } from '../admin-form.tsx';
import type { Route } from './+types/update';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Update ${loaderData?.values.email ?? 'Admin'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const given = context.get(services);
  const since = await logSize(given.db);
  const profile = await adminOf(context, emailOf('update', params.id));
  const { personId, email, name, phone, address, roleLabel, gender, notes, version, bornOn, updatedBy } = profile;
  return {
    since,
    personId,
    segment: emailSegment(email),
    formKey: newFormKey(),
    image: presentProfile(given, profile).image,
    changedBy: updatedBy ?? 'somebody',
    values: {
      email,
      name,
      phone,
      address,
      role: roleLabel,
      dob: bornOn ?? '',
      gender,
      notes,
      version: String(version),
    },
  };
}

export const action = (args: Route.ActionArgs) => updateAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.profile);

export default function UpdateAdmin({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(`person:${loaderData.personId}`, loaderData, actionData);
  return (
    <AdminForm
      title="Update Admin"
      button="Update"
      values={opened.values}
      formKey={opened.formKey}
      image={opened.image}
      answer={answer}
      meanwhile={meanwhile}
      back={`/admins/view/${opened.segment}`}
    />
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
