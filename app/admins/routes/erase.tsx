// /admins/erase/{id}: erases the personal data of a removed admin for good. Their activities stay.
import { redirect } from 'react-router';
import { emailSegment } from '#app/people/email-key.ts';
import { eraseAction } from '#app/people/erasure-action.server.ts';
import { EraseForm } from '#app/people/erase-form.tsx';
import { missingPerson } from '#app/people/missing-person.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { titled } from '#app/ui/page-title.ts';
import { emailOf } from '../admin-action.server.ts';
import { findStaff } from '../queries.server.ts';
import type { Route } from './+types/erase';

export const meta = titled('Erase personal data');

async function adminOf(context: Route.LoaderArgs['context'], email: string) {
  const found = await findStaff(context.get(servicesContext).db, email);
  if (found.state === 'unknown') throw missingPerson('admin', email);
  return found;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const email = emailOf('erase', params.id);
  const { state, name } = await adminOf(context, email);
  if (state === 'live') throw redirect(`/admins/view/${emailSegment(email)}`);
  return { email, name: name || email };
}

export const action = (args: Route.ActionArgs) =>
  eraseAction(args, () => adminOf(args.context, emailOf('erase', args.params.id)), '/admins');

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.erasure);

export default function EraseAdmin({ loaderData: { email, name }, actionData }: Route.ComponentProps) {
  return <EraseForm name={name} back={`/admins/view/${emailSegment(email)}`} answer={actionData} />;
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
