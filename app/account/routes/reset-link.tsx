import { data, Form, Link, redirect } from 'react-router';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { services } from '#app/platform/services.server.ts';
import { useFocusOnError } from '#app/ui/field.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { newPasswordSchema } from '../account.ts';
import { AccountPage } from '../account-page.tsx';
import { NewPasswordFields } from '../new-password-fields.tsx';
import { isResetTokenGood, resetPassword } from '../reset-password.server.ts';
import type { Route } from './+types/reset-link';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `New password · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const works = await isResetTokenGood(context.get(services), params.token);
  return data({ works }, { status: works ? 200 : 410 });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = readForm(newPasswordSchema, await fieldsOf(request));
  if (!form.ok) return data({ errors: form.errors }, { status: 400 });
  const { password } = form.input;
  const answer = await resetPassword(context.get(services), { token: params.token, password });
  if (answer.reset) return redirect('/login', { status: 303, headers: { 'set-cookie': carryNotice('password-set') } });
  return answer.reason === 'password'
    ? data({ errors: { password: answer.message } }, { status: 400 })
    : data({ errors: {} }, { status: 410 });
}

export default function ResetLink({ loaderData: { works }, actionData }: Route.ComponentProps) {
  const errors: { password?: string; repeat?: string } | undefined = actionData?.errors;
  const form = useFocusOnError(errors);
  if (!works)
    return (
      <AccountPage title="This link no longer works">
        <p className="pb-5">A link sets one new password, within 30 minutes, and only the newest one works.</p>
        <Link to="/reset" className="button-look button-primary">
          Ask for a new link
        </Link>
      </AccountPage>
    );
  return (
    <AccountPage title="New password">
      <Form ref={form} method="post" className="grid gap-5">
        <NewPasswordFields errors={errors} />
        <p className="text-sm text-ink-2">All your sessions end, on every device.</p>
        <SubmitButton wide>Set password</SubmitButton>
      </Form>
    </AccountPage>
  );
}
