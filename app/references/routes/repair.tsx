// /references/{id}/repair: an admin notes a repair of a weighbridge.
import { useState } from 'react';
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { formPage, repairAction } from '../reference-action.server.ts';
import { LONGEST } from '../reference.ts';
import type { Route } from './+types/repair';

export const meta = titled('Note a repair');

export const loader = ({ params, context }: Route.LoaderArgs) => formPage(context, params.id);

export const action = (args: Route.ActionArgs) => repairAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addRepair);

export default function NoteRepair({ loaderData, actionData }: Route.ComponentProps) {
  const [{ id, line, idempotencyKey }] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-1 text-xl">Note a repair</h1>
      <p className="pb-5 wrap-anywhere text-ink-2">{line}</p>
      <FormNotes answer={answer} />
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-6 max-row:p-4">
        <TextField name="on" label="Day of the repair" hint="Required." type="date" required />
        <TextField
          name="note"
          label="What was repaired"
          hint="Required, and public: no names. A note cannot be changed later."
          maxLength={LONGEST.repair}
          autoComplete="off"
          required
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Note repair</SubmitButton>
          <GoBack fallback={href('/references/:id', { id })} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
