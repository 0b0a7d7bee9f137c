// The form that asks for the reason and erases a removed person's data.
import { ReasonField } from '#app/forms/reason-field.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';

export function EraseForm({
  name,
  back,
  answer,
}: {
  name: string;
  back: string;
  answer: FormAnswer<'reason'> | undefined;
}) {
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">{`Erase the personal data of ${name}`}</h1>
      <FormNotes answer={answer} />
      <p className="pb-3">
        Name, address, contact and licence are erased everywhere, and the public log’s entries can no longer be linked
        to them. This cannot be undone.
      </p>
      <p className="pb-5 text-ink-2">
        The calibrations they recorded stay, under “Erased person”, and every proof still holds. The log says what was
        erased and when.
      </p>
      <AnswerForm answer={answer} className="card grid gap-5 p-6 max-row:p-4">
        <ReasonField hint="Kept in the activity log. Name nobody." />
        <div className="flex flex-wrap gap-3">
          <SubmitButton look="danger">Erase</SubmitButton>
          <ButtonLink to={back}>Cancel</ButtonLink>
        </div>
      </AnswerForm>
    </main>
  );
}
