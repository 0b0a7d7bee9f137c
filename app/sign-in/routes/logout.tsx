import { Form } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { NO_FIELDS, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { signOut } from '../end-session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/logout';

export const meta = titled('Logout');

export function action(args: Route.ActionArgs) {
  const { request, context } = args;
  return submitForm(args, {
    failure: PUBLIC_FAILURES.logout,
    nothing: 'You are still signed in.',
    schema: NO_FIELDS,
    async write() {
      const setCookies = await signOut(context.get(servicesContext), visitorOf(request, context).cookie);
      return { goTo: { flash: 'signed-out', to: '/login' }, setCookies };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.logout);

export default function Logout({ actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Logout" note={<FormNotes answer={actionData} />}>
      <Form method="post">
        <SubmitButton wide>Logout</SubmitButton>
      </Form>
    </AccountPage>
  );
}
