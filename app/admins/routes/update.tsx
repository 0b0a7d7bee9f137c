import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { profileTexts } from '#app/people/profile-queries.server.ts';
import { presentProfile } from '#app/people/present-profile.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { useOpenedForm } from '#app/ui/form-notes.tsx';
import { adminOf, emailOf, updateAction } from '../admin-action.server.ts';
import { AdminForm } from '../admin-form.tsx';
import type { Route } from './+types/update';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Update ${loaderData?.values.email ?? 'Admin'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const since = await logSize(services.db);
  const profile = await adminOf(context, emailOf('update', params.id));
  const { personId, email, version, updatedBy } = profile;
  return {
    since,
    personId,
    segment: emailSegment(email),
    idempotencyKey: newIdempotencyKey(),
    image: presentProfile(services, profile).image,
    changedBy: updatedBy ?? 'somebody',
    values: { email, ...profileTexts(profile), version: String(version) },
  };
}

export const action = (args: Route.ActionArgs) => updateAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.profile);

export default function UpdateAdmin({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, answer, meanwhile } = useOpenedForm(loaderData, actionData);
  return (
    <>
      <Subscription topics={[`person:${opened.personId}`]} since={opened.since} whereOneTypes />
      <AdminForm
        values={opened.values}
        idempotencyKey={opened.idempotencyKey}
        image={opened.image}
        answer={answer}
        meanwhile={meanwhile}
        back={`/admins/view/${opened.segment}`}
      />
    </>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
