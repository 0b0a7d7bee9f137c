// The form of a decision about one technician's good standing.
import type { ReactNode } from 'react';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';

export function GoodStandingForm({
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
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">{title}</h1>
      <FormNotes answer={answer} />
      <p className="pb-5 wrap-anywhere text-ink-2">{consequence}</p>
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-6 max-row:p-4">
        {children}
        <div className="flex flex-wrap gap-3">
          {submit}
          <ButtonLink to={back}>Cancel</ButtonLink>
        </div>
      </AnswerForm>
    </main>
  );
}
