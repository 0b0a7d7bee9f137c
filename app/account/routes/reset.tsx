import { MailCheck } from 'lucide-react';
import { data, Form, Link, redirect } from 'react-router';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { retryIn } from '#app/platform/rate-limit.server.ts';
import { clientAddress, requestId, services } from '#app/platform/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { resetRequestSchema } from '../account.ts';
import { AccountPage } from '../account-page.tsx';
import { requestPasswordReset } from '../reset-password.server.ts';
import type { Route } from './+types/reset';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `Reset password · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: 'For those who sign in here: a new password, by a link in an email.' },
  ];
}

const FAILURE = 'Error while reseting the password!';

export const loader = ({ url }: Route.LoaderArgs) => ({ sent: url.searchParams.has('sent') });

export async function action({ request, context }: Route.ActionArgs) {
  const form = readForm(resetRequestSchema, await fieldsOf(request));
  if (!form.ok) return data({ values: form.values, errors: form.errors, failure: null }, { status: 400 });
  const given = context.get(services);
  const kept = { values: form.values, errors: {} as { email?: string } };
  try {
    const answer = await requestPasswordReset(given, context.get(clientAddress), form.input);
    if (answer.asked) return redirect('/reset?sent', 303);
    const again = retryIn(answer.retryAfterSeconds);
    return data(
      { ...kept, failure: `${FAILURE} too-many-requests. Too many requests. Try again ${again}.` },
      { status: 429, headers: { 'retry-after': String(answer.retryAfterSeconds) } },
    );
  } catch (error) {
    given.log.error({ err: error, request: context.get(requestId) }, 'a reset could not be asked for');
    return data(
      { ...kept, failure: `${FAILURE} database-unavailable. Nothing was sent. Try again in a moment.` },
      { status: 503 },
    );
  }
}

export default function Reset({ loaderData: { sent }, actionData }: Route.ComponentProps) {
  const form = useFocusOnError(actionData?.errors);
  if (sent && actionData === undefined)
    return (
      <AccountPage title="Reset password">
        <div className="grid gap-5" role="status">
          <MailCheck size={44} aria-hidden="true" />
          <p>An email has been sent to your email address with instructions to reset your password.</p>
          <p className="text-sm text-ink-2">
            It goes only to an address that has an account, within a few minutes. Look into the junk folder too.
          </p>
          <BackToLogin />
        </div>
      </AccountPage>
    );
  return (
    <AccountPage
      title="Reset password"
      note={
        actionData?.failure == null ? undefined : (
          <div className="pb-5">
            <Note kind="error">{actionData.failure}</Note>
          </div>
        )
      }
    >
      <Form ref={form} method="post" action="/reset" className="grid gap-5">
        <TextField
          name="email"
          label="Email"
          hint="We send you a link. It works once, for 30 minutes."
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          defaultValue={actionData?.values.email}
          error={actionData?.errors.email}
        />
        <SubmitButton wide>Reset Password</SubmitButton>
        <BackToLogin />
      </Form>
    </AccountPage>
  );
}

function BackToLogin() {
  return (
    <Link to="/login" className="inline-flex min-h-11 items-center font-semibold no-underline">
      Back to login
    </Link>
  );
}
