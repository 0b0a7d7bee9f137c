// The form of a decision about one technician's standing.
import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';

export function StandingForm({
  title,
  consequence,
  answer,
  back,
  idempotencyKey,
  submit,
  children,
}: {
  title: string;
  consequence: string;
  answer: FormAnswer | undefined;
  back: string;
  idempotencyKey: string;
  submit: ReactNode;
  /** The fields. */
  children: ReactNode;
}) {
  const form = useFocusOnError(answer);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">{title}</h1>
      <FormNotes answer={answer} />
      <p className="pb-5 wrap-anywhere text-ink-2">{consequence}</p>
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4" noValidate>
        <input type="hidden" name="form_key" value={idempotencyKey} />
        {children}
        <div className="flex flex-wrap gap-3">
          {submit}
          <Link to={back} className="button-look button-secondary">
            Cancel
          </Link>
        </div>
      </Form>
    </main>
  );
}
