// /follow/mine/{token}: stops the weekly mail of a technician's due trucks, or all that a person may stop, by the
// button or by a mail program's one click (RFC 8058), a POST without a page.
import { Form } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { NO_FIELDS, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { findByStopLink, stopMails } from '../choose-told.server.ts';
import type { Route } from './+types/stop';

export const meta = titled('Stop emails', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await findByStopLink(context.get(servicesContext).db, params.token);
  return { isSent: found !== undefined && !found.isStopped, stops: found?.stops ?? 'weekly' };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: PUBLIC_FAILURES.unfollow,
    schema: NO_FIELDS,
    async write() {
      const { db } = args.context.get(servicesContext);
      const found = await findByStopLink(db, args.params.token);
      if (found !== undefined) await stopMails(db, found);
      // No redirect: RFC 8058 forbids one.
      return { shown: true };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.unfollow);

const STOPS = {
  weekly: 'We send no more emails of your trucks that are due. Your settings turn them on again.',
  all: 'We send no more of these emails, but what needs you: a second admin, or your answer. Your settings turn them on again.',
};

export default function Stop({ loaderData: { isSent, stops }, actionData }: Route.ComponentProps) {
  if (!isSent)
    return (
      <AccountPage title="You have unsubscribed">
        <p role="status">{STOPS[stops]}</p>
      </AccountPage>
    );
  return (
    <AccountPage
      title={stops === 'all' ? 'Stop these emails' : 'Stop the weekly email'}
      note={<FormNotes answer={actionData} />}
    >
      <Form method="post" className="grid gap-5">
        <p>{STOPS[stops]}</p>
        <SubmitButton wide>Stop emails</SubmitButton>
      </Form>
    </AccountPage>
  );
}
