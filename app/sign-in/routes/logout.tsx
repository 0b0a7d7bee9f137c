import { Form, redirect } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { NO_FIELDS, submitForm } from '#app/forms/submit-form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/keep-typed.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { AccountPage } from '#app/shell/account-page.tsx';
import { signOut } from '../end-session.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/logout';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Logout · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export function action(args: Route.ActionArgs) {
  const { request, context } = args;
  return submitForm(args, {
    failure: FAILURES.logout,
    nothing: 'You are still signed in.',
    schema: NO_FIELDS,
    async write() {
      const setCookies = await signOut(context.get(services), visitorOf(request, context).cookie);
      const headers = new Headers({ 'set-cookie': carryNotice('signed-out') });
      for (const line of setCookies) headers.append('set-cookie', line);
      return redirect('/login', { status: 303, headers });
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.logout);

export default function Logout({ actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Logout" note={<FormNotes answer={actionData} />}>
      <Form method="post">
        <SubmitButton wide>Logout</SubmitButton>
      </Form>
    </AccountPage>
  );
}
