// /follow/confirm/{token}: confirms by a button. A GET confirms nothing, as link scanners open the page too.
import { data, Form, href } from 'react-router';
import { AccountPage } from '#app/shell/account-page.tsx';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { NO_FIELDS, refused, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { titled } from '#app/ui/page-title.ts';
import { confirmFollowing } from '../confirm-following.server.ts';
import { findByLink } from '../links.server.ts';
import type { Route } from './+types/confirm';

export const meta = titled('Follow a vehicle', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const found = await findByLink(db, params.token, 'confirm', now());
  return data(
    { rego: found?.rego ?? null, isConfirmed: found?.isConfirmed ?? false },
    { status: found === undefined ? 410 : 200 },
  );
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: PUBLIC_FAILURES.follow,
    schema: NO_FIELDS,
    async write() {
      const answer = await confirmFollowing(args.context.get(servicesContext), args.params.token);
      if (answer.confirmed) return { shown: true };
      return refused(410, { cause: 'link-used. This link no longer works. Ask for a new one on the vehicle’s page.' });
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.follow);

export default function Confirm({ loaderData: { rego, isConfirmed }, actionData }: Route.ComponentProps) {
  if (rego === null)
    return (
      <DeadLink
        why="A link works for three days. Ask for a new one on the vehicle’s page."
        to="/"
        label="Search for the vehicle"
      />
    );
  const page = href('/vehicles/view/:rego', { rego });
  if (isConfirmed)
    return (
      <AccountPage title={`You are following ${rego}`}>
        <p className="pb-5" role="status">
          We will email you 30 and 14 days before its calibration is due, on the day, and when its verdict changes.
        </p>
        <ButtonLink to={page} look="primary">
          {`See the verdict for ${rego}`}
        </ButtonLink>
      </AccountPage>
    );
  return (
    <AccountPage title={`Follow ${rego}`} note={<FormNotes answer={actionData} />}>
      <Form method="post" className="grid gap-5">
        <p>{`Press the button to get emails about ${rego}. Each email has a link to stop them.`}</p>
        <SubmitButton wide>{`Follow ${rego}`}</SubmitButton>
      </Form>
    </AccountPage>
  );
}
