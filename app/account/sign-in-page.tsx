// /login and /tech-login: the same form under two headings. Whoever signs in, on either, is who they are.
import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { Form, Link } from 'react-router';
import { useIsArrival } from '#app/ui/arrival.tsx';
import { PasswordField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import type { Notice } from '#app/ui/notices.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { showToast } from '#app/ui/toasts.ts';
import { AccountPage } from './account-page.tsx';

/** What came of a try that did not sign anybody in. */
export type SignInFailure = {
  notice?: Notice;
  values: { email?: string };
  errors: { email?: string; password?: string };
};

export function SignInPage({ title, failure }: { title: string; failure: SignInFailure | undefined }) {
  const form = useFocusOnError(failure?.errors);
  // A toast where a script sent the form; the same words in the page where the browser did.
  const isDocument = useIsArrival();
  useEffect(() => {
    if (failure?.notice === undefined) return;
    if (!isDocument) showToast(failure.notice);
    form.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }, [failure, form, isDocument]);
  return (
    <AccountPage
      title={title}
      note={
        failure?.notice === undefined || !isDocument ? undefined : (
          <div className="pb-5">
            <Note kind={failure.notice.kind}>{failure.notice.text}</Note>
          </div>
        )
      }
    >
      <Form ref={form} method="post" className="grid gap-5" key={failure === undefined ? 'first' : 'again'}>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          defaultValue={failure?.values.email}
          error={failure?.errors.email}
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          error={failure?.errors.password}
        />
        <SubmitButton wide>Submit</SubmitButton>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Link to="/" className="inline-flex min-h-11 items-center gap-2 font-semibold no-underline">
            <ArrowLeft size={20} aria-hidden="true" />
            Go Back
          </Link>
          <Link to="/reset" className="inline-flex min-h-11 items-center font-semibold no-underline">
            Forgot password?
          </Link>
        </div>
      </Form>
    </AccountPage>
  );
}
