import { data } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { newPasswordSchema } from '../sign-in-entry.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { isResetTokenGood, resetPassword } from '../reset-password.server.ts';
import type { Route } from './+types/reset-link';

export const meta = titled('New password', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const works = await isResetTokenGood(context.get(servicesContext), params.token);
  return data({ works }, { status: works ? 200 : 410 });
}

export function action(args: Route.ActionArgs) {
  return submitForm(args, {
    failure: PUBLIC_FAILURES.reset,
    schema: newPasswordSchema,
    async write({ input: { password } }) {
      const answer = await resetPassword(args.context.get(servicesContext), { token: args.params.token, password });
      if (answer.reset) return { goTo: { flash: 'password-set', to: '/login' } };
      return answer.reason === 'password'
        ? refused(400, { errors: { password: answer.message } })
        : refused(410, { code: 'link-used', sentence: 'This link no longer works. Ask for a new one.' });
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.reset);

export default function ResetLink({ loaderData: { works }, actionData }: Route.ComponentProps) {
  if (!works)
    return (
      <DeadLink
        why="A link works once, within 30 minutes, and only the newest one works."
        to="/reset"
        label="Get a new link"
      />
    );
  return (
    <AccountPage title="New password" note={<FormNotes answer={actionData} />}>
      <AnswerForm answer={actionData} className="grid gap-5" noValidate={false}>
        <NewPasswordFields />
        <p className="text-sm text-ink-2">You will be signed out on all devices.</p>
        <SubmitButton wide>Set password</SubmitButton>
      </AnswerForm>
    </AccountPage>
  );
}
