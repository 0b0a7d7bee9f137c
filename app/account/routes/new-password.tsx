// The first sign-in with a password that somebody else typed: nothing else opens before it is replaced.
import { data, Form, redirect } from 'react-router';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { services } from '#app/platform/services.server.ts';
import { PasswordField, useFocusOnError } from '#app/ui/field.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { changePasswordSchema } from '../account.ts';
import { changePassword } from '../change-password.server.ts';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { returnPath } from '../return-path.ts';
import { requireSignedIn } from '../session.server.ts';
import { visitorOf } from '../visitor.server.ts';
import type { Route } from './+types/new-password';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `New password · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export const loader = ({ context }: Route.LoaderArgs) => ({
  must: requireSignedIn(context).mustChangePassword,
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = readForm(changePasswordSchema, await fieldsOf(request));
  if (!form.ok) return data({ errors: form.errors }, { status: 400 });
  const { current_password: current, password } = form.input;
  const answer = await changePassword(context.get(services), requireSignedIn(context), visitorOf(request, context), {
    current,
    password,
  });
  if (!answer.changed) {
    const { field, message, retryAfterSeconds } = answer;
    const init: ResponseInit =
      retryAfterSeconds === undefined
        ? { status: 400 }
        : { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } };
    return data({ errors: { [field]: message } }, init);
  }
  const headers = new Headers({ 'set-cookie': carryNotice('password-changed') });
  for (const line of answer.setCookies) headers.append('set-cookie', line);
  return redirect(returnPath(url.searchParams.get('to')), { status: 303, headers });
}

export default function NewPassword({ loaderData: { must }, actionData }: Route.ComponentProps) {
  const errors: { current_password?: string; password?: string; repeat?: string } | undefined = actionData?.errors;
  const form = useFocusOnError(errors);
  return (
    <main id="main" className="max-w-110">
      <h1 className="pb-3 text-xl">{must ? 'Choose your own password' : 'Change password'}</h1>
      <p className="pb-5 text-ink-2">
        {must
          ? 'Somebody else knows the password you signed in with. Replace it first; then everything opens.'
          : 'All your other sessions end, on every device.'}
      </p>
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4">
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={errors?.current_password}
        />
        <NewPasswordFields errors={errors} />
        <SubmitButton>Change password</SubmitButton>
      </Form>
    </main>
  );
}
