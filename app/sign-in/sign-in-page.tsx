// The form of /login and /tech-login. Only the heading differs: either page signs in any account, with its own role.
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useEffect, type ComponentType, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useIsArrival } from '#app/ui/arrival.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { PasswordField, TextField } from '#app/ui/field.tsx';
import { failureText, type FormAnswer } from '#app/ui/form-answer.ts';
import { NoteAbove } from '#app/ui/note.tsx';
import type { Message } from '#app/ui/message.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { showToast } from '#app/ui/toasts.ts';
import { returnQuery } from './return-path.ts';

type Answer = FormAnswer<'email' | 'password'>;

/** The page around the form. `note`: a message shown above it. */
type Frame = ComponentType<{ title: string; note?: ReactNode; children: ReactNode }>;

export function SignInPage({
  title,
  answer,
  frame: Frame,
}: {
  title: string;
  answer: Answer | undefined;
  frame: Frame;
}) {
  const message = messageOf(answer);
  const [query] = useSearchParams();
  // A toast when a script sent the form; a note in the page when the browser did.
  const isDocument = useIsArrival();
  useEffect(() => {
    const said = messageOf(answer);
    if (said === undefined) return;
    if (!isDocument) showToast(said);
    document.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }, [answer, isDocument]);
  return (
    <Frame
      title={title}
      note={
        message === undefined || !isDocument ? undefined : <NoteAbove kind={message.kind}>{message.text}</NoteAbove>
      }
    >
      <AnswerForm answer={answer} className="grid gap-5" noValidate={false}>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={254} required />
        <PasswordField name="password" label="Password" autoComplete="current-password" required />
        <SubmitButton wide>Submit</SubmitButton>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Link to="/" className="inline-flex min-h-11 items-center gap-2 font-semibold no-underline">
            <RowIcon name="arrow-left" className="row-icon size-5" />
            Go Back
          </Link>
          <TextLink to={`/reset${returnQuery(query.get('to'))}`}>Forgot password?</TextLink>
        </div>
      </AnswerForm>
    </Frame>
  );
}

function messageOf(answer: Answer | undefined): Message | undefined {
  if (answer?.info !== undefined) return { kind: 'info', text: answer.info };
  return answer?.failure === undefined ? undefined : { kind: 'error', text: failureText(answer.failure) };
}
