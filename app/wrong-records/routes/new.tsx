// /reports/new: anybody says that a record is wrong. `?vehicle=`, perhaps with its `visit=`, or `?weighbridge=`.
import { href, Link } from 'react-router';
import { z } from 'zod';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { email } from '#app/people/email.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { EmailField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { recordWords } from '../queries.server.ts';
import { findTarget, receiveReport, storeAttachments } from '../receive-report.server.ts';
import { refuseTry } from '../report-action.server.ts';
import { FilesField, WordsField } from '../report-view.tsx';
import { KINDS, WORDS_MAX } from '../report.ts';
import type { Route } from './+types/new';

export const meta = titled('Report a wrong record', { robots: 'noindex' });

export async function loader({ context, url }: Route.LoaderArgs) {
  const target = await findTarget(context.get(servicesContext), url.searchParams);
  const kinds = KINDS.filter(({ ofTruck }) => ofTruck === undefined || target?.referenceId === null);
  const record = target === undefined ? 'Start from the page of the record that is wrong.' : recordWords(target);
  return { name: target?.name ?? '', record, kinds, idempotencyKey: newIdempotencyKey() };
}

const reportSchema = z.object({
  kind: z.enum(
    KINDS.map(({ value }) => value),
    { error: 'Choose what is wrong.' },
  ),
  words: optionalText(WORDS_MAX).refine((words) => words !== '', 'Say what you know about it.'),
  files: z.string().optional(),
  email,
});

export function action(args: Route.ActionArgs) {
  const { context, url } = args;
  return submitForm(args, {
    failure: PUBLIC_FAILURES.report,
    nothing: 'Nothing was sent.',
    schema: reportSchema,
    async write({ input, key, form }) {
      const services = context.get(servicesContext);
      const target = await findTarget(services, url.searchParams);
      if (target === undefined)
        return refused(404, { code: 'record-unknown', sentence: 'This record is not in the registry any more.' });
      const tooMany = await refuseTry(args, input.email);
      if (tooMany !== undefined) return tooMany;
      const files = await storeAttachments(services, form.files);
      if (typeof files === 'string') return refused(400, { errors: { files } });
      const token = await receiveReport(services, target, { input, files, key });
      return { goTo: { to: href('/reports/r/:token', { token }) } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.report);

export default function NewReport({
  loaderData: { name, record, kinds, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  return (
    <AccountPage title="Report a wrong record" note={<FormNotes answer={actionData} />}>
      <AnswerForm
        answer={actionData}
        idempotencyKey={idempotencyKey}
        encType="multipart/form-data"
        className="grid grid-cols-1 gap-5"
      >
        <p>
          <strong>{name}</strong> {record}
        </p>
        <Choice name="kind" legend="What is wrong?" options={kinds} columns="one" />
        <WordsField
          label="What do you know about it?"
          hint="Read by the office and by the technician. Never published."
        />
        <FilesField />
        <EmailField label="Your email" hint="We send a link to confirm it, then news. Shown to nobody." />
        <SubmitButton wide busyText="Sending...">
          Send report
        </SubmitButton>
        <NotSavedBar />
        <p className="text-sm text-ink-2">
          A report does not change a verdict. Somebody who had no part in the record decides, within 75 days.{' '}
          <Link to={href('/reports/mine')}>Your earlier reports</Link> ·{' '}
          <Link to={href('/reports/counts')}>How many there are</Link>
        </p>
      </AnswerForm>
    </AccountPage>
  );
}
