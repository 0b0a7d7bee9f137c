// /visits/{id}/check: an admin asks that somebody else weighs the truck of a visit again, or withdraws that.
import { useState } from 'react';
import { data, href } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { WANTED_DAYS } from '../check-visit.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { REASON_MAX } from '#app/forms/text-limits.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { Note } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { checkVisitAction } from '../office/check-visit-action.server.ts';
import { checkVisitPage } from '../office/shown-check-visit.server.ts';
import type { Route } from './+types/check';

export const meta = titled('Check visit');

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const page = await checkVisitPage(db, requireSignedIn(context), { id, zone: config.timeZone });
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { ...page, idempotencyKey: newIdempotencyKey() };
}

export const action = (args: Route.ActionArgs) => checkVisitAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.checkVisit);

export default function CheckVisit({ loaderData, actionData }: Route.ComponentProps) {
  // The key stays the same while the page is open: sent again after a lost answer, it is the same write.
  const [{ id, rego, day, may, isDrawing, idempotencyKey }] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  // What was refused stays as it was sent, whatever may be done by now.
  const decision = answer?.values.decision ?? may;
  if (decision === null)
    return (
      <main id="main" className="grid max-w-160 justify-items-start gap-5">
        <h1 className="text-xl">Check visit</h1>
        <Note kind="info">There is nothing to ask for or to withdraw about this visit now.</Note>
        <ButtonLink to={href('/visits/:id', { id })}>The visit</ButtonLink>
      </main>
    );
  const isAsking = decision !== 'withdraw';
  return (
    <main id="main" className="grid max-w-160 gap-5">
      <h1 className="text-xl">{isAsking ? 'Ask for a check visit' : 'Withdraw a check visit'}</h1>
      <FormNotes answer={answer} />
      <div className="grid justify-items-start gap-2">
        <RegoChip rego={rego} />
        <p>
          {isAsking
            ? `Somebody else than the technician of ${day} weighs this truck again, within ${WANTED_DAYS} days. It moves no verdict.`
            : `The truck is then no longer on the technicians’ list because of the visit of ${day}.`}
        </p>
        {isAsking ? (
          <p className="text-ink-2">
            {isDrawing
              ? 'Its public page says that one is wanted, but not whether somebody asked for it or it was drawn at random.'
              : 'Its public page says that one is wanted. The policy draws none at random now, so anybody who reads it can tell that somebody asked.'}
          </p>
        ) : null}
      </div>
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-5 max-row:p-4">
        <input type="hidden" name="decision" value={decision} />
        {isAsking ? (
          <TextField
            name="reason"
            label="Reason"
            hint="For administrators only."
            maxLength={REASON_MAX}
            required
            autoComplete="off"
          />
        ) : null}
        <div className="flex flex-wrap gap-3">
          <SubmitButton>{isAsking ? 'Ask for it' : 'Withdraw'}</SubmitButton>
          <ButtonLink to={href('/visits/:id', { id })}>Cancel</ButtonLink>
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
