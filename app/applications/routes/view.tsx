// /applications/view/{id}: an application's data. With ?approve the 'Password Setup' dialog is open.
import Check from 'lucide-react/icons/check';
import Trash2 from 'lucide-react/icons/trash';
import { redirect, useSearchParams } from 'react-router';
import { IfMay, useMay } from '#app/access/use-may.tsx';
import { parseEmailKey } from '#app/people/email.ts';
import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { formatStatedInZone } from '#app/platform/time/calendar.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { unlessClosing } from '#app/ui/dialog-address.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { NoteAbove } from '#app/ui/note.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { failureText } from '#app/ui/form-answer.ts';
import { useLatestAnswer } from '#app/ui/form-notes.tsx';
import { decidedWords } from '../application-words.ts';
import { approveAction } from '../approval-action.server.ts';
import { FlaggedAbn } from '../flagged-abn.tsx';
import { PasswordSetup } from '../password-setup.tsx';
import { findApplication } from '../queries.server.ts';
import type { Route } from './+types/view';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const title = loaderData === undefined ? 'No such application' : `Application of ${loaderData.application.email}`;
  return [{ title: `${title} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const email = parseEmailKey(params.id);
  if (email === undefined) throw missingPerson('application', params.id);
  if (params.id !== emailKey(email)) throw redirect(`/applications/view/${emailSegment(email)}${url.search}`, 301);
  const since = await logSize(db);
  const found = await findApplication(db, email);
  if (found.state === 'unknown') throw missingPerson('application', email);
  const { companyName, abn, tradeLicenceNum, address, repName, repContact, origin, requestedAt } = found.application;
  const requested = requestedAt === null ? null : formatStatedInZone(requestedAt, config.timeZone);
  return {
    since,
    application: { email, companyName, abn, tradeLicenceNum, address, repName, repContact },
    requestedAt: requested !== null && origin === 'imported' ? `${requested} (imported)` : requested,
    decided: found.state === 'decided' ? decidedWords(found.decided, config.timeZone) : null,
    idempotencyKey: newIdempotencyKey(),
  };
}

export const shouldRevalidate = unlessClosing('approve');

export const action = (args: Route.ActionArgs) => approveAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.approve);

export default function ApplicationView({ loaderData, actionData }: Route.ComponentProps) {
  const { since, application, requestedAt, decided, idempotencyKey } = loaderData;
  const { email, companyName } = application;
  const [query] = useSearchParams();
  const may = useMay();
  const approving = decided === null && query.has('approve') && may('change people');
  const page = `/applications/view/${emailSegment(email)}`;
  const answer = useLatestAnswer(actionData);
  const failure = answer?.failure;
  const isSaved = answer?.saved !== undefined;
  return (
    <main id="main">
      <Subscription topics={['applications']} since={since} />
      <PageHead title={companyName || email} back="/applications">
        {decided !== null ? null : (
          <IfMay to="change people">
            <ButtonLink to={`/applications/delete/${emailSegment(email)}`} icon={Trash2}>
              Delete
            </ButtonLink>
            <ButtonLink to={`${page}?approve`} preventScrollReset icon={Check} look="primary">
              Approve
            </ButtonLink>
          </IfMay>
        )}
      </PageHead>
      {decided === null || isSaved ? null : (
        <NoteAbove kind={failure === undefined ? 'info' : 'error'}>
          {failure === undefined ? decided : failureText(failure)}
        </NoteAbove>
      )}
      <div className="max-w-180">
        <Card title="Application" id="application">
          <FactList
            facts={[
              { label: 'Company name', value: companyName },
              { label: 'Email', value: email },
              { label: 'ABN', value: <FlaggedAbn abn={application.abn} /> },
              { label: 'Trade licence number', value: application.tradeLicenceNum },
              { label: 'Address', value: application.address },
              { label: 'Representative name', value: application.repName },
              { label: 'Representative contact', value: application.repContact },
              { label: 'Requested at', value: requestedAt },
            ]}
          />
        </Card>
      </div>
      {approving || isSaved ? (
        <PasswordSetup email={email} idempotencyKey={idempotencyKey} closeTo={page} answer={answer} />
      ) : null}
    </main>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
