// /applications/delete/{id}: an application is turned down, with a reason if there is one.
import { data, redirect } from 'react-router';
import { parseEmailKey } from '#app/account/account.ts';
import { emailSegment } from '#app/account/email-key.ts';
import { requireSignedIn } from '#app/account/session.server.ts';
import { newFormKey } from '#app/platform/form-key.server.ts';
import { fieldsOf, isScripted } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { DeleteRecord } from '#app/ui/delete-record.tsx';
import { TextField } from '#app/ui/field.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { decidedWords } from '../application-words.ts';
import { deleteApplication } from '../delete-application.server.ts';
import { findApplication } from '../queries.server.ts';
import type { Route } from './+types/delete';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Delete an application · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const FAILURE = 'Error deleting item:';
const REASON_MAX_LENGTH = 500;

export async function loader({ params, context }: Route.LoaderArgs) {
  const email = parseEmailKey(params.id);
  if (email === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  const found = await findApplication(context.get(services).db, email);
  if (found.state === 'unknown') throw data(null, { status: 404, statusText: 'Not Found' });
  if (found.state === 'decided') throw redirect(`/applications/view/${emailSegment(email)}`);
  return { formKey: newFormKey(), email, companyName: found.application.companyName };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const form = await fieldsOf(request);
  const reason = String(form.get('reason') ?? '').trim();
  const refuse = (status: number, cause: string) =>
    data({ failure: `${FAILURE} ${cause}`, reason, tooLong: false }, { status });
  if (reason.length > REASON_MAX_LENGTH) return data({ failure: null, reason, tooLong: true }, { status: 400 });
  const email = parseEmailKey(params.id);
  if (email === undefined) return refuse(404, 'application-unknown. There is no application with this address.');
  try {
    const answer = await deleteApplication(given, requireSignedIn(context), email, reason, form.get('form_key'));
    if (answer.deleted)
      return redirect('/applications', { status: 303, headers: { 'set-cookie': carryNotice('record-deleted') } });
    // Without scripts this page would be of a record that is no longer there: the list says it.
    if (!isScripted(request))
      return redirect('/applications', { status: 303, headers: { 'set-cookie': carryNotice('deleted-already') } });
    return answer.reason === 'unknown'
      ? refuse(404, 'application-unknown. There is no application with this address.')
      : refuse(409, `${answer.decision}-already. It was ${decidedWords(answer, given.config.timeZone)}`);
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'an application was not deleted');
    return refuse(503, 'registry-unavailable. Nothing was deleted. Try again in a moment.');
  }
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ typed, cause }) => ({
    failure: `${FAILURE} ${cause}`,
    reason: typed['reason'] ?? '',
    tooLong: false,
  }));

export default function DeleteApplication({
  loaderData: { formKey, email, companyName },
  actionData,
}: Route.ComponentProps) {
  return (
    <DeleteRecord
      title="Delete an application"
      back={`/applications/view/${emailSegment(email)}`}
      failure={actionData?.failure ?? undefined}
      formKey={formKey}
      record={
        <p className="wrap-anywhere">
          <span className="block text-lg font-bold">{companyName || email}</span>
          {email}
        </p>
      }
      consequence="The applicant is told by mail, and may ask again."
    >
      <TextField
        name="reason"
        label="Reason (optional)"
        hint="It goes into the mail."
        maxLength={REASON_MAX_LENGTH}
        defaultValue={actionData?.reason}
        error={actionData?.tooLong === true ? `Use at most ${REASON_MAX_LENGTH} characters.` : undefined}
      />
    </DeleteRecord>
  );
}
