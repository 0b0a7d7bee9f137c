// /references/{id}/withdraw/{verification}: an admin withdraws a verification period that was recorded wrongly.
import { useState } from 'react';
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { ReasonField } from '#app/forms/reason-field.tsx';
import { formatDay } from '#app/platform/time/calendar.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { formPage, periodToWithdraw, withdrawAction } from '../reference-action.server.ts';
import type { Route } from './+types/withdraw';

export const meta = titled('Withdraw verification');

const whichOf = ({ id, verification }: Route.LoaderArgs['params']) => ({
  referenceId: id,
  verificationId: verification,
});

export async function loader({ params, context }: Route.LoaderArgs) {
  const page = await formPage(context, params.id);
  const { certificateNumber, fromOn, toOn } = await periodToWithdraw(context, whichOf(params));
  return { ...page, period: `${certificateNumber}: ${formatDay(fromOn)} to ${formatDay(toOn)}` };
}

export const action = (args: Route.ActionArgs) => withdrawAction(args, whichOf(args.params));

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.withdrawVerification);

export default function WithdrawVerification({ loaderData, actionData }: Route.ComponentProps) {
  const [{ id, line, period, idempotencyKey }] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-1 text-xl">Withdraw verification</h1>
      <p className="wrap-anywhere text-ink-2">{line}</p>
      <p className="pb-5 font-semibold wrap-anywhere">{period}</p>
      <FormNotes answer={answer} />
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-6 max-row:p-4">
        <p>
          For a period that was recorded wrongly. It stays on the page, marked as withdrawn, and covers no day any more.
          Then record the right one.
        </p>
        <ReasonField hint="Required. Only admins can see it." />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>Withdraw</SubmitButton>
          <GoBack fallback={href('/references/:id', { id })} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
