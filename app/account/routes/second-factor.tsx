import { data, Form, Link } from 'react-router';
import { fieldsOf, readForm } from '#app/platform/form.server.ts';
import { services } from '#app/platform/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { codeSchema } from '../account.ts';
import { AccountPage } from '../account-page.tsx';
import { answerInit, goOn, noticeOf } from '../sign-in-door.server.ts';
import { signInWithCode } from '../sign-in.server.ts';
import { visitorOf } from '../visitor.server.ts';
import type { Route } from './+types/second-factor';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Second factor · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = readForm(codeSchema, await fieldsOf(request));
  if (!form.ok) return data({ error: form.errors.code }, { status: 400 });
  const answer = await signInWithCode(context.get(services), visitorOf(request, context), form.input.code);
  if (answer.state === 'too-many') return data({ error: noticeOf(answer).text }, answerInit(answer));
  if (answer.state === 'refused')
    return data(
      { error: 'This code does not match. Wait for the next one, or use a recovery code.' },
      answerInit(answer),
    );
  return goOn(answer, url.searchParams.get('to'));
}

export default function SecondFactor({ actionData }: Route.ComponentProps) {
  const form = useFocusOnError(actionData);
  return (
    <AccountPage title="Second factor">
      <Form ref={form} method="post" className="grid gap-5">
        <TextField
          name="code"
          label="Code"
          hint="Six digits from your authenticator app, or one of your recovery codes."
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          error={actionData?.error}
        />
        <SubmitButton wide>Submit</SubmitButton>
        <Link to="/login" className="inline-flex min-h-11 items-center font-semibold no-underline">
          Sign in as somebody else
        </Link>
      </Form>
    </AccountPage>
  );
}
