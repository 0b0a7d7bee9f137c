// /following/{token}/end: stops the emails, by the button or by a mail program's one click (RFC 8058), a POST without a
// page.
import { Form, href } from 'react-router';
import { z } from 'zod';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { Undo } from '#app/ui/undo.tsx';
import { endFollowing, undoEnding } from '../keep-following.server.ts';
import { findByLink } from '../links.server.ts';
import type { Route } from './+types/end';

export const meta = titled('Stop emails', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const found = await findByLink(db, params.token, now());
  return found === undefined ? null : { rego: found.rego };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: PUBLIC_FAILURES.unfollow,
    schema: z.object({ undo: z.string().optional() }),
    async write({ input: { undo } }) {
      const act = undo === undefined ? endFollowing : undoEnding;
      await act(args.context.get(servicesContext), args.params.token);
      // No redirect: RFC 8058 forbids one.
      return { shown: true };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.unfollow);

export default function End({ loaderData, actionData, params }: Route.ComponentProps) {
  if (loaderData === null)
    return (
      <AccountPage title="You have unsubscribed">
        <p role="status">
          We will send no more of these emails, and your address and what you followed are deleted within a minute.
        </p>
        {actionData === undefined ? null : <Undo action={href('/following/:token/end', params)} id="" />}
      </AccountPage>
    );
  const { rego } = loaderData;
  return (
    <AccountPage title={`Stop following ${rego ?? 'the list'}`} note={<FormNotes answer={actionData} />}>
      <Form method="post" className="grid gap-5">
        <p>
          {rego === null
            ? 'We will send no more emails about the list, and delete it and your address within a minute.'
            : `We will send no more emails about ${rego}, and delete your address within a minute.`}
        </p>
        <SubmitButton wide>Stop emails</SubmitButton>
      </Form>
    </AccountPage>
  );
}
