// /new-password: changes one's own password. After a sign-in with a temporary password the guard opens no other page.
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { PasswordField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { changePasswordSchema } from '../sign-in-entry.ts';
import { changePassword } from '../change-password.server.ts';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { returnPath } from '../return-path.ts';
import { refusalOf } from '../sign-in-action.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/new-password';

export const meta = titled('New password');

export const loader = ({ context }: Route.LoaderArgs) => ({
  must: requireSignedIn(context).mustChangePassword,
});

export function action(args: Route.ActionArgs) {
  const { request, context, url } = args;
  return submitForm(args, {
    failure: FAILURES.password,
    schema: changePasswordSchema,
    async write({ input: { current_password: current, password } }) {
      const visitor = visitorOf(request, context);
      const answer = await changePassword(context.get(servicesContext), requireSignedIn(context), {
        visitor,
        current,
        password,
      });
      if (!answer.changed) return refusalOf(answer);
      const to = returnPath(url.searchParams.get('to'));
      return { goTo: { flash: 'password-changed', to }, setCookies: answer.setCookies };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.password);

export default function NewPassword({ loaderData: { must }, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="max-w-110">
      <h1 className="pb-3 text-xl">{must ? 'Choose your own password' : 'Change password'}</h1>
      <p className="pb-5 text-ink-2">
        {must
          ? 'You signed in with a temporary password. Choose your own to continue.'
          : 'You will be signed out on all other devices.'}
      </p>
      <FormNotes answer={actionData} />
      <AnswerForm answer={actionData} className="card grid gap-5 p-6 max-row:p-4" noValidate={false}>
        <PasswordField name="current_password" label="Current password" autoComplete="current-password" required />
        <NewPasswordFields />
        <SubmitButton>Change password</SubmitButton>
      </AnswerForm>
    </main>
  );
}
