// /admins/delete/{id}: asks for confirmation and removes an admin.
import { emailSegment } from '#app/people/email-key.ts';
import { Avatar } from '#app/people/avatar.tsx';
import { presentProfile } from '#app/people/present-profile.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitDeletion, type NotDeleted } from '#app/forms/submit-deletion.server.ts';
import { NO_FIELDS } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { backToList } from '#app/ui/list-left.ts';
import { adminOf, emailOf } from '../admin-action.server.ts';
import { removeAdmin, type RemoveAdminAnswer } from '../remove-admin.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete ${loaderData?.email ?? 'admin'} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const profile = await adminOf(context, emailOf('delete', params.id));
  const { email, name, image } = presentProfile(context.get(servicesContext), profile);
  return { idempotencyKey: newIdempotencyKey(), email, name, image, segment: emailSegment(email) };
}

export function action(args: Route.ActionArgs) {
  const email = emailOf('delete', args.params.id);
  return submitDeletion(args, {
    list: '/admins',
    schema: NO_FIELDS,
    async remove(key) {
      const answer = await removeAdmin(args.context.get(servicesContext), requireSignedIn(args.context), {
        email,
        key,
      });
      return answer.removed ? undefined : CAUSES[answer.reason];
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => backToList(sendForm(args, FAILURES.deletion));

const CAUSES: Record<(RemoveAdminAnswer & { removed: false })['reason'], NotDeleted> = {
  self: { code: 'self', sentence: 'You cannot delete yourself.' },
  'last-admin': { code: 'last-admin', sentence: 'Nobody else can sign in as an admin. Add another one first.' },
  'removed-already': { isGone: true, code: 'removed-already', sentence: 'Somebody else removed this admin.' },
  unknown: { isGone: true, code: 'admin-unknown', sentence: 'No admin with this address is in the registry.' },
  'no-admin-any-more': { code: 'no-admin-any-more', sentence: 'You were removed meanwhile, and nothing was deleted.' },
};

export default function DeleteAdmin({
  loaderData: { idempotencyKey, email, name, image, segment },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title={`Delete ${email}`}
      back={`/admins/view/${segment}`}
      failure={actionData?.failure}
      idempotencyKey={idempotencyKey}
      record={
        <div className="flex items-center gap-3">
          <Avatar name={name || email} src={image} />
          <p className="min-w-0 wrap-anywhere">
            {name === '' ? null : <span className="block font-bold">{name}</span>}
            {email}
          </p>
        </div>
      }
      consequence="They are signed out at once, and cannot sign in. It stands when a second administrator confirms it, or after seven days; until then it may be refused. What they did stays, under their name."
    />
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
