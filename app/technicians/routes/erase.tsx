// /technicians/erase/{id}: erases the personal data of a removed technician for good. Their calibrations stay.
import { redirect } from 'react-router';
import { emailSegment } from '#app/people/email-key.ts';
import { eraseAction } from '#app/people/erasure-action.server.ts';
import { EraseForm } from '#app/people/erase-form.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { titled } from '#app/ui/page-title.ts';
import { requireTechnician } from '../queries.server.ts';
import type { Route } from './+types/erase';

export const meta = titled('Erase personal data');

const technicianOf = ({ params, context }: Route.LoaderArgs) =>
  requireTechnician(context.get(servicesContext).db, params.id);

export async function loader(args: Route.LoaderArgs) {
  const { email, repName, companyName, deletedAt } = await technicianOf(args);
  if (deletedAt === null) throw redirect(`/technicians/view/${emailSegment(email)}`);
  return { email, name: repName || companyName || email };
}

export const action = (args: Route.ActionArgs) => eraseAction(args, () => technicianOf(args), '/technicians');

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.erasure);

export default function EraseTechnician({ loaderData: { email, name }, actionData }: Route.ComponentProps) {
  return <EraseForm name={name} back={`/technicians/view/${emailSegment(email)}`} answer={actionData} />;
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
