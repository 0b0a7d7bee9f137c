// /applications/delete/{id}: declines an application, with an optional reason.
import { redirect } from 'react-router';
import { z } from 'zod';
import { parseEmailKey } from '#app/people/email.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitDeletion, type NotDeleted } from '#app/forms/submit-deletion.server.ts';
import { optionalReason } from '#app/forms/text-fields.ts';
import { REASON_MAX } from '#app/forms/text-limits.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { TextField } from '#app/ui/field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { backToList } from '#app/ui/list-left.ts';
import { titled } from '#app/ui/page-title.ts';
import { decidedWords } from '../application-words.ts';
import { deleteApplication } from '../delete-application.server.ts';
import { findApplication } from '../queries.server.ts';
import type { Route } from './+types/delete';

export const meta = titled('Delete an application');

export async function loader({ params, context }: Route.LoaderArgs) {
  const email = parseEmailKey(params.id);
  if (email === undefined) throw missingPerson('application', params.id);
  const found = await findApplication(context.get(servicesContext).db, email);
  if (found.state === 'unknown') throw missingPerson('application', email);
  if (found.state === 'decided') throw redirect(`/applications/view/${emailSegment(email)}`);
  return { idempotencyKey: newIdempotencyKey(), email, companyName: found.application.companyName };
}

const deletionSchema = z.object({ reason: optionalReason });

export function action(args: Route.ActionArgs) {
  const services = args.context.get(servicesContext);
  const unknown: NotDeleted = {
    isGone: true,
    code: 'application-unknown',
    sentence: 'There is no application with this address.',
    status: 404,
  };
  return submitDeletion(args, {
    list: '/applications',
    schema: deletionSchema,
    async remove(key, { reason }) {
      const email = parseEmailKey(args.params.id);
      if (email === undefined) return unknown;
      const answer = await deleteApplication(services, requireSignedIn(args.context), { email, reason, key });
      if (answer.deleted) return undefined;
      return answer.reason === 'unknown'
        ? unknown
        : {
            isGone: true,
            code: `${answer.decision}-already`,
            sentence: decidedWords(answer, services.config.timeZone),
          };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => backToList(sendForm(args, FAILURES.deletion));

export default function DeleteApplication({
  loaderData: { idempotencyKey, email, companyName },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title="Delete an application"
      back={`/applications/view/${emailSegment(email)}`}
      failure={actionData?.failure}
      idempotencyKey={idempotencyKey}
      record={
        <p className="wrap-anywhere">
          <span className="block text-lg font-bold">{companyName || email}</span>
          {email}
        </p>
      }
      consequence="The applicant is told by email, and can apply again."
    >
      <TextField
        name="reason"
        label="Reason (optional)"
        hint="The applicant will read it in the email."
        maxLength={REASON_MAX}
        defaultValue={actionData?.values['reason']}
        error={actionData?.errors['reason']}
      />
    </DeleteRecord>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
