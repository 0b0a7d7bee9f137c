import { useSearchParams } from 'react-router';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, refusedTooMany, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { titled } from '#app/ui/page-title.ts';
import { CLOCK, codeSchema } from '../sign-in-entry.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { CodeField } from '../code-field.tsx';
import { returnQuery } from '../return-path.ts';
import { goOn } from '../sign-in-action.server.ts';
import { signInWithCode } from '../sign-in.server.ts';
import { visitorOf } from '#app/access/visitor.server.ts';
import type { Route } from './+types/second-factor';

export const meta = titled('Second factor');

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
            errors: { code: `This code does not match. Wait for the next one, or use a recovery code. ${CLOCK}` },
          });
        case 'too-many':
          return refusedTooMany('Too many tries.', answer.retryAfterSeconds);
        default:
          return goOn(answer, url.searchParams.get('to'));
      }
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.signIn);

export default function SecondFactor({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return (
    <AccountPage title="Second factor" note={<FormNotes answer={actionData} />}>
      <AnswerForm answer={actionData} className="grid gap-5" noValidate={false}>
        <CodeField />
        <SubmitButton wide>Submit</SubmitButton>
        <TextLink to={`/login${returnQuery(query.get('to'))}`}>Sign in with another account</TextLink>
      </AnswerForm>
    </AccountPage>
  );
}
