import { Form, Link } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { codeSchema } from '../sign-in-entry.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { goOn, tooMany } from '../sign-in-action.server.ts';
import { signInWithCode } from '../sign-in.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/second-factor';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Second factor · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export function action(args: Route.ActionArgs) {
  const { request, context, url } = args;
  return submitForm(args, {
    failure: PUBLIC_FAILURES.signIn,
    nothing: 'Nobody can be signed in just now.',
    schema: codeSchema,
    async write({ input }) {
      const answer = await signInWithCode(context.get(servicesContext), visitorOf(request, context), input.code);
      switch (answer.state) {
        case 'refused':
          return refused(401, {
            errors: { code: 'This code does not match. Wait for the next one, or use a recovery code.' },
          });
        case 'too-many':
          return tooMany(answer.retryAfterSeconds);
        default:
          return goOn(answer, url.searchParams.get('to'));
      }
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.signIn);

export default function SecondFactor({ actionData }: Route.ComponentProps) {
  const form = useFocusOnError(actionData);
  return (
    <AccountPage title="Second factor" note={<FormNotes answer={actionData} />}>
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
          error={actionData?.errors.code}
        />
        <SubmitButton wide>Submit</SubmitButton>
        <Link to="/login" className="inline-flex min-h-11 items-center font-semibold no-underline">
          Sign in with another account
        </Link>
      </Form>
    </AccountPage>
  );
}
