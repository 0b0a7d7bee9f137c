// /technicians/delete/{id}: asks for confirmation and removes a technician.
import { parseEmailKey } from '#app/people/email.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitDeletion, type NotDeleted } from '#app/forms/submit-deletion.server.ts';
import { NO_FIELDS } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { backToList } from '#app/ui/list-left.ts';
import { titled } from '#app/ui/page-title.ts';
import { removeTechnician } from '../remove-technician.server.ts';
import { requireLiveTechnician } from '../good-standing-action.server.ts';
import type { Route } from './+types/delete';

export const meta = titled('Delete a technician');

export async function loader({ params, context }: Route.LoaderArgs) {
  const { email, repName, companyName } = await requireLiveTechnician(context, params.id);
  return { idempotencyKey: newIdempotencyKey(), email, name: repName || companyName };
}

export function action(args: Route.ActionArgs) {
  const unknown: NotDeleted = {
    isGone: true,
    code: 'technician-unknown',
    sentence: 'There is no technician with this address.',
    status: 404,
  };
  return submitDeletion(args, {
    list: '/technicians',
    schema: NO_FIELDS,
    async remove(key) {
      const email = parseEmailKey(args.params.id);
      if (email === undefined) return unknown;
      const answer = await removeTechnician(args.context.get(servicesContext), requireSignedIn(args.context), {
        email,
        key,
      });
      if (answer.removed) return undefined;
      return answer.reason === 'unknown'
        ? unknown
        : { isGone: true, code: 'removed-already', sentence: `${answer.by} removed this technician.` };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => backToList(sendForm(args, FAILURES.deletion));

export default function DeleteTechnician({
  loaderData: { idempotencyKey, email, name },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title="Delete a technician"
      back={`/technicians/view/${emailSegment(email)}`}
      failure={actionData?.failure}
      idempotencyKey={idempotencyKey}
      record={
        <p className="wrap-anywhere">
          <span className="block text-lg font-bold">{name || email}</span>
          {email}
        </p>
      }
      consequence="They lose access at once. Their calibrations stay, and say that they were removed."
    />
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
