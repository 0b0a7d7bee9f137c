// /admins/delete/{id}: one question that names the admin, then the removal.
import { data, redirect } from 'react-router';
import { emailSegment } from '#app/account/email-key.ts';
import { Avatar } from '#app/account/avatar.tsx';
import { presentProfile } from '#app/account/present-profile.server.ts';
import { requireSignedIn } from '#app/account/session.server.ts';
import { keyOf, newFormKey } from '#app/platform/form-key.server.ts';
import { isScripted } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { adminOf, emailOf } from '../admin-door.server.ts';
import { removeAdmin, type RemoveAdminAnswer } from '../remove-admin.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete ${loaderData?.email ?? 'admin'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const FAILURE = 'Error deleting item:';

export async function loader({ params, context }: Route.LoaderArgs) {
  const profile = await adminOf(context, emailOf('delete', params.id));
  const { email, name, image } = presentProfile(context.get(services), profile);
  return { formKey: newFormKey(), email, name, image, segment: emailSegment(email) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const email = emailOf('delete', params.id);
  try {
    const formKey = await keyOf(request);
    const answer = await removeAdmin(given.db, requireSignedIn(context), email, formKey);
    if (answer.removed)
      return redirect('/admins', { status: 303, headers: { 'set-cookie': carryNotice('record-deleted') } });
    // Without scripts this page would be of a record that is no longer there: the list says it.
    if (!isScripted(request) && (answer.reason === 'removed-already' || answer.reason === 'unknown'))
      return redirect('/admins', { status: 303, headers: { 'set-cookie': carryNotice('deleted-already') } });
    return data({ failure: `${FAILURE} ${causeOf(answer.reason)}` }, { status: 409 });
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'an admin was not removed');
    return data(
      { failure: `${FAILURE} registry-unavailable. Nothing was removed. Try again in a moment.` },
      { status: 503 },
    );
  }
}

function causeOf(reason: Extract<RemoveAdminAnswer, { removed: false }>['reason']): string {
  switch (reason) {
    case 'self':
      return 'self. Nobody deletes themselves.';
    case 'last-admin':
      return 'last-admin. Nobody else can sign in as an admin. Add another one first.';
    case 'removed-already':
      return 'removed-already. Somebody else removed this admin.';
    case 'unknown':
      return 'admin-unknown. No admin with this address is in the registry.';
    case 'no-admin-any-more':
      return 'no-admin-any-more. You were removed meanwhile, and nothing was deleted.';
  }
}

export default function DeleteAdmin({
  loaderData: { formKey, email, name, image, segment },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title={`Delete ${email}`}
      back={`/admins/view/${segment}`}
      failure={actionData?.failure}
      formKey={formKey}
      record={
        <div className="flex items-center gap-3">
          <Avatar name={name || email} src={image} />
          <p className="min-w-0 break-words">
            {name === '' ? null : <span className="block font-bold">{name}</span>}
            {email}
          </p>
        </div>
      }
      consequence="They are signed out at once and leave the list. What they did stays, under their name. The address may be added again."
    />
  );
}
