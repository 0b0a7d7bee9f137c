// /references/{id}/verify: an admin records a verification period of a weighbridge, with its certificate.
import { useRef, useState } from 'react';
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { formatDay, isDay } from '#app/platform/time/calendar.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { formPage, verifyAction } from '../reference-action.server.ts';
import { LONGEST, twelveMonthsFrom } from '../reference.ts';
import type { Route } from './+types/verify';

const MAX_BYTES = 20 * 1024 * 1024;

export const meta = titled('Add verification');

export const loader = ({ params, context }: Route.LoaderArgs) => formPage(context, params.id);

export const action = (args: Route.ActionArgs) => verifyAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addVerification);

export default function AddVerification({ loaderData, actionData }: Route.ComponentProps) {
  const [{ id, line, idempotencyKey }] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  const [filesBusy, setFilesBusy] = useState(0);
  return (
    <main id="main" className="max-w-190">
      <h1 className="pb-1 text-xl">Add verification</h1>
      <p className="pb-5 wrap-anywhere text-ink-2">{line}</p>
      <FormNotes answer={answer} />
      <AnswerForm
        answer={answer}
        idempotencyKey={idempotencyKey}
        encType="multipart/form-data"
        className="card grid grid-cols-1 gap-5 p-5 max-row:p-4"
      >
        <TextField
          name="certificate_number"
          label="Certificate number"
          hint="Required. As printed on the certificate."
          autoComplete="off"
          maxLength={LONGEST.certificate}
          required
        />
        <Period entered={answer?.values.from} />
        <UploadField
          name="certificate"
          label="Certificate (optional)"
          hint="PDF, JPEG or PNG, up to 20 MB. The file is public."
          accept="application/pdf,image/jpeg,image/png"
          maxBytes={MAX_BYTES}
          kind="certificate"
          onBusy={setFilesBusy}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyText="Uploading data..." waiting={filesBusy > 0}>
            Add verification
          </SubmitButton>
          <GoBack fallback={href('/references/:id', { id })} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}

/** `entered`: the first day in a form that was refused. */
function Period({ entered = '' }: { entered: string | undefined }) {
  const fields = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState(entered);
  const suggested = isDay(from) ? twelveMonthsFrom(from) : undefined;
  const fill = () => {
    const to = fields.current?.querySelector('input[name="to"]');
    if (to instanceof HTMLInputElement && suggested !== undefined) to.value = suggested;
  };
  return (
    <div ref={fields} className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        name="from"
        label="From"
        hint="Required. The first day that it covers."
        type="date"
        required
        onInput={(event) => setFrom(event.currentTarget.value)}
      />
      <div className="grid gap-2">
        <TextField
          name="to"
          label="To"
          hint="The last day. Empty: 12 months, the registry’s own default."
          type="date"
        />
        {suggested === undefined ? null : (
          <button type="button" className="button-look button-secondary justify-self-start" onClick={fill}>
            {`12 months: ${formatDay(suggested)}`}
          </button>
        )}
      </div>
    </div>
  );
}
