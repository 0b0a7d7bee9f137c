// The 'Password Setup' dialog: approves an application, with a temporary password or with a mailed link.
import { Form } from 'react-router';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { PasswordField, TextField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { Sheet } from '#app/ui/sheet.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { ApproveFormAnswer } from './approval-action.server.ts';

export function PasswordSetup({
  email,
  idempotencyKey,
  closeTo,
  answer,
}: {
  email: string;
  idempotencyKey: string;
  closeTo: string;
  answer: ApproveFormAnswer | undefined;
}) {
  return (
    <Sheet
      title="Password Setup"
      titleId="password-setup"
      closeTo={closeTo}
      unsaved="The technician is not registered yet."
    >
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} action={`${closeTo}?approve`} className="contents">
        <div className="grid grid-cols-1 gap-5 overflow-y-auto p-5">
          <FormNotes answer={answer} />
          <TextField name="email" label="Email" type="email" defaultValue={email} readOnly />
          <PasswordField
            name="password"
            label="Password"
            hint="At least 8 characters. Give it to them yourself. They choose their own when they first sign in."
            autoComplete="new-password"
            maxLength={128}
            data-first-focus
            errorRole="alert"
          />
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-2">
            Or let them choose their own password:
            <SubmitButton form="send-link" name="by" value="link" look="secondary">
              Send a link instead
            </SubmitButton>
          </p>
        </div>
        <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
          <ButtonLink to={closeTo} preventScrollReset>
            Close Modal
          </ButtonLink>
          <SubmitButton name="by" value="admin">
            Register Technician
          </SubmitButton>
        </footer>
      </AnswerForm>
      {/* A separate form, so that Enter in the password field never sends the link. */}
      <Form id="send-link" method="post" action={`${closeTo}?approve`}>
        <input type="hidden" name="form_key" value={idempotencyKey} />
      </Form>
    </Sheet>
  );
}
