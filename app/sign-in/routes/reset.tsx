import { RowIcon } from '#app/ui/row-icon.tsx';
import { z } from 'zod';
import { visitorOf } from '#app/access/visitor.server.ts';
import { email } from '#app/people/email.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refusedTooMany, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { EmailField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { titled } from '#app/ui/page-title.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { requestPasswordReset } from '../reset-password.server.ts';
import { returnQuery } from '../return-path.ts';
import type { Route } from './+types/reset';

export const meta = titled('Reset password', {
  description: 'For those who sign in here: a new password, by a link in an email.',
});

export const loader = ({ url }: Route.LoaderArgs) => ({
  sent: url.searchParams.has('sent'),
  to: returnQuery(url.searchParams.get('to')),
});

const requestSchema = z.object({ email });

export function action(args: Route.ActionArgs) {
  return submitForm(args, {
    failure: PUBLIC_FAILURES.reset,
    nothing: 'Nothing was sent.',
    schema: requestSchema,
    async write({ input }) {
      const answer = await requestPasswordReset(
        args.context.get(servicesContext),
        visitorOf(args.request, args.context),
        input,
      );
      if (!answer.asked) return refusedTooMany('Too many requests.', answer.retryAfterSeconds);
      const to = returnQuery(args.url.searchParams.get('to'));
      return { goTo: { to: `/reset?sent${to.replace('?', '&')}` } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.reset);

export default function Reset({ loaderData: { sent, to }, actionData }: Route.ComponentProps) {
  if (sent && actionData === undefined)
    return (
      <AccountPage title="Reset password">
        <div className="grid gap-5" role="status">
          <RowIcon name="mail-check" className="row-icon size-11" />
          <p>An email has been sent to your email address with instructions to reset your password.</p>
          <p className="text-sm text-ink-2">
            If this address has an account, the email arrives within a few minutes. Check your junk folder too.
          </p>
          <TextLink to={`/login${to}`}>Back to login</TextLink>
        </div>
      </AccountPage>
    );
  return (
    <AccountPage title="Reset password" note={<FormNotes answer={actionData} />}>
      <AnswerForm answer={actionData} action={`/reset${to}`} className="grid gap-5" noValidate={false}>
        <EmailField
          hint="We will email you a link. It works once, within 30 minutes."
          autoComplete="username"
          required
        />
        <SubmitButton wide>Reset Password</SubmitButton>
        <TextLink to={`/login${to}`}>Back to login</TextLink>
      </AnswerForm>
    </AccountPage>
  );
}
