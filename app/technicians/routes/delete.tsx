// /technicians/delete/{id}: a technician loses access.
import { data, redirect } from 'react-router';
import { parseEmailKey } from '#app/account/account.ts';
import { emailSegment } from '#app/account/email-key.ts';
import { requireSignedIn } from '#app/account/session.server.ts';
import { keyOf, newFormKey } from '#app/platform/form-key.server.ts';
import { isScripted } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { findTechnician } from '../queries.server.ts';
import { removeTechnician } from '../remove-technician.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete a technician · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const FAILURE = 'Error deleting item:';

export async function loader({ params, context }: Route.LoaderArgs) {
  const email = parseEmailKey(params.id);
  const found = email === undefined ? undefined : await findTechnician(context.get(services).db, email);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  if (found.deletedAt !== null) throw redirect(`/technicians/view/${emailSegment(found.email)}`);
  return { formKey: newFormKey(), email: found.email, name: found.repName || found.companyName };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const refuse = (status: number, cause: string) => data({ failure: `${FAILURE} ${cause}` }, { status });
  const email = parseEmailKey(params.id);
  if (email === undefined) return refuse(404, 'technician-unknown. There is no technician with this address.');
  try {
    const formKey = await keyOf(request);
    const answer = await removeTechnician(given, requireSignedIn(context), email, formKey);
    if (answer.removed)
      return redirect('/technicians', { status: 303, headers: { 'set-cookie': carryNotice('record-deleted') } });
    // Without scripts this page would be of a record that is no longer there: the list says it.
    if (!isScripted(request))
      return redirect('/technicians', { status: 303, headers: { 'set-cookie': carryNotice('deleted-already') } });
    return answer.reason === 'unknown'
      ? refuse(404, 'technician-unknown. There is no technician with this address.')
      : refuse(409, `removed-already. ${answer.by} removed this technician.`);
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'a technician was not removed');
    return refuse(503, 'registry-unavailable. Nothing was deleted. Try again in a moment.');
  }
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ cause }) => ({ failure: `${FAILURE} ${cause}` }));

export default function DeleteTechnician({ loaderData: { formKey, email, name }, actionData }: Route.ComponentProps) {
  return (
    <DeleteRecord
      title="Delete a technician"
      back={`/technicians/view/${emailSegment(email)}`}
      failure={actionData?.failure}
      formKey={formKey}
      record={
        <p className="wrap-anywhere">
          <span className="block text-lg font-bold">{name || email}</span>
          {email}
        </p>
      }
      consequence="They lose access at once. What they recorded stays, and says that they were removed."
    />
  );
}
