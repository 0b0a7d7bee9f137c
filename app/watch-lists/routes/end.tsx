// /lists/{token}/end: stops the emails about a list, by the button or by a mail program's one click (RFC 8058), a POST without
// a page.
import { Form } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { NO_FIELDS, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { endList } from '../keep-list.server.ts';
import { findList } from '../links.server.ts';
import type { Route } from './+types/end';

export const meta = titled('Stop emails', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  return { isFollowed: (await findList(db, params.token, now())) !== undefined };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: PUBLIC_FAILURES.unfollow,
    schema: NO_FIELDS,
    async write() {
      await endList(args.context.get(servicesContext), args.params.token);
      // No redirect: RFC 8058 forbids one.
      return { shown: true };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.unfollow);

export default function End({ loaderData: { isFollowed }, actionData }: Route.ComponentProps) {
  if (!isFollowed)
    return (
      <AccountPage title="You have unsubscribed">
        <p role="status">We will send no more emails about this list, and we have deleted the list and your address.</p>
      </AccountPage>
    );
  return (
    <AccountPage title="Stop following the list" note={<FormNotes answer={actionData} />}>
      <Form method="post" className="grid gap-5">
        <p>We will send no more emails about the list, and delete it and your address at once.</p>
        <SubmitButton wide>Stop emails</SubmitButton>
      </Form>
    </AccountPage>
  );
}
