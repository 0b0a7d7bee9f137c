// /applications/delete/{id}: an application is turned down, with a reason if there is one.
import { redirect } from 'react-router';
import { z } from 'zod';
import { parseEmailKey } from '#app/people/email.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitDeletion } from '#app/forms/submit-deletion.server.ts';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { TextField } from '#app/ui/field.tsx';
import { sendForm } from '#app/ui/keep-typed.ts';
import { backToList } from '#app/ui/list-left.ts';
import { decidedWords } from '../application-words.ts';
import { deleteApplication } from '../delete-application.server.ts';
import { findApplication } from '../queries.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete an application · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const REASON_MAX_LENGTH = 500;

export async function loader({ params, context }: Route.LoaderArgs) {
  const email = parseEmailKey(params.id);
  if (email === undefined) throw missingPerson('application', params.id);
  const found = await findApplication(context.get(services).db, email);
  if (found.state === 'unknown') throw missingPerson('application', email);
  if (found.state === 'decided') throw redirect(`/applications/view/${emailSegment(email)}`);
  return { formKey: newFormKey(), email, companyName: found.application.companyName };
}

const deletionSchema = z.object({
  reason: z
    .string()
    .default('')
    .transform((text) => text.trim())
    .pipe(z.string().max(REASON_MAX_LENGTH, `Use at most ${REASON_MAX_LENGTH} characters.`)),
});

export function action(args: Route.ActionArgs) {
  const given = args.context.get(services);
  const unknown = { gone: 'application-unknown. There is no application with this address.', status: 404 };
  return submitDeletion(args, {
    list: '/applications',
    schema: deletionSchema,
    async remove(formKey, { reason }) {
      const email = parseEmailKey(args.params.id);
      if (email === undefined) return unknown;
      const answer = await deleteApplication(given, requireSignedIn(args.context), email, reason, formKey);
      if (answer.deleted) return undefined;
      return answer.reason === 'unknown'
        ? unknown
        : { gone: `${answer.decision}-already. It was ${decidedWords(answer, given.config.timeZone)}` };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => backToList(sendForm(args, FAILURES.deletion));

export default function DeleteApplication({
  loaderData: { formKey, email, companyName },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title="Delete an application"
      back={`/applications/view/${emailSegment(email)}`}
      failure={actionData?.failure}
      formKey={formKey}
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
        maxLength={REASON_MAX_LENGTH}
        defaultValue={actionData?.values['reason']}
        error={actionData?.errors['reason']}
      />
    </DeleteRecord>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
