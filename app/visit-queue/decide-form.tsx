// The strip that decides about a visit. 'Set aside' opens a sheet with its reasons; without scripts it is a page.
import { Form, href } from 'react-router';
import { reasonsFor, type Decision } from '#app/visits/visit.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import { failureText, type FormAnswer } from '#app/ui/form-answer.ts';
import { Note } from '#app/ui/note.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { Sheet } from '#app/ui/sheet.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { DecisionField } from './decide-action.server.ts';
import { NOT_YOURS, NOTE_MAX } from './decision.ts';
import type { VisitPage } from './visit-page.server.ts';

export const ACCEPT_FORM = 'accept-visit';

type Answer = FormAnswer<DecisionField> | undefined;

export function DecideForm({ page, answer }: { page: VisitPage; answer: Answer }) {
  const { id, may, needsDueDate, notYours, next, isAlone } = page;
  const address = href('/visits/:id', { id });
  if (notYours !== null) return <Note kind="info">{NOT_YOURS[notYours]}</Note>;
  if (!may.accept && !may.setAside && !needsDueDate) return null;
  return (
    <div className="decision-strip max-sm:contents sm:grid sm:gap-3 sm:rounded-lg xl:grid-cols-[minmax(0,1fr)_auto] xl:items-end [&>p]:xl:col-span-2 sm:border sm:border-line-strong sm:bg-surface sm:p-4 sm:shadow-lg">
      {isAlone ? (
        <p className="text-sm text-ink-2">You are the only administrator: the page will say that nobody else looked.</p>
      ) : null}
      {needsDueDate ? (
        <Note kind="info">
          It states no due date within the longest interval. Correct its due date first, then accept it.
        </Note>
      ) : null}
      {may.accept ? (
        <Form id={ACCEPT_FORM} method="post" className="grid gap-3 max-sm:card max-sm:p-4 sm:grid-cols-2">
          <Hidden page={page} decision="accepted" />
          <SelectField
            name="reason"
            label={page.held.length > 0 ? 'Public reason (required)' : 'Public reason (optional)'}
            empty="Choose a reason"
            defaultValue={answer?.values.decision === 'set-aside' ? undefined : answer?.values.reason}
            error={answer?.values.decision === 'set-aside' ? undefined : answer?.errors.reason}
            groups={[
              {
                options: reasonsFor('accepted', page.checks).map(({ reason, words }) => ({
                  value: reason,
                  label: words,
                })),
              },
            ]}
          />
          <TextField
            name="note"
            label="Note for administrators (optional)"
            maxLength={NOTE_MAX}
            autoComplete="off"
            defaultValue={answer?.values.note}
            error={answer?.errors.note}
          />
        </Form>
      ) : null}
      <div className="decision-buttons flex flex-wrap justify-end gap-3 max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3">
        {next === null ? null : <ButtonLink to={href('/visits/:id', { id: next })}>Next</ButtonLink>}
        {may.setAside ? (
          <ButtonLink to={`${address}?set-aside`} preventScrollReset>
            Set aside
          </ButtonLink>
        ) : null}
        {may.accept ? <SubmitButton form={ACCEPT_FORM}>Accept</SubmitButton> : null}
      </div>
    </div>
  );
}

export function SetAsideSheet({ page, answer }: { page: VisitPage; answer: Answer }) {
  const { id, technician } = page;
  const address = href('/visits/:id', { id });
  const failure = answer?.values.decision === 'set-aside' ? answer.failure : undefined;
  return (
    <Sheet title="Set the visit aside" titleId="set-aside-title" closeTo={address} goesBack>
      <Form method="post" action={`${address}?set-aside`} className="contents">
        <Hidden page={page} decision="set-aside" />
        <div className="grid gap-4 overflow-y-auto p-5">
          {failure === undefined ? null : <Note kind="error">{failureText(failure)}</Note>}
          <p className="text-ink-2">{`It stays to be seen, marked, and changes no verdict. ${technician} is told.`}</p>
          <fieldset className="grid gap-2">
            <legend className="pb-1.5 font-semibold">Public reason</legend>
            {reasonsFor('set-aside', page.checks).map(({ reason, words }) => (
              <label key={reason} className="choice-tile justify-start">
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  defaultChecked={answer?.values.reason === reason}
                  className="size-5 shrink-0 accent-accent"
                />
                {words}
              </label>
            ))}
            {answer?.values.decision === 'set-aside' && answer.errors.reason !== undefined ? (
              <p className="text-sm font-semibold text-overdue-text" role="alert">
                {answer.errors.reason}
              </p>
            ) : null}
          </fieldset>
          <TextAreaField
            name="note"
            label="Note for administrators (optional)"
            maxLength={NOTE_MAX}
            defaultValue={answer?.values.note}
            error={answer?.errors.note}
          />
        </div>
        <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
          <ButtonLink to={address} preventScrollReset>
            Cancel
          </ButtonLink>
          <SubmitButton>Set aside</SubmitButton>
        </footer>
      </Form>
    </Sheet>
  );
}

function Hidden({ page, decision }: { page: VisitPage; decision: Decision }) {
  return (
    <>
      <input type="hidden" name="form_key" value={page.idempotencyKey} />
      <input type="hidden" name="decision" value={decision} />
      <input type="hidden" name="opened_state" value={page.state} />
      <input type="hidden" name="opened_as" value={page.openedAs} />
      <input type="hidden" name="next" value={page.next ?? ''} />
    </>
  );
}
