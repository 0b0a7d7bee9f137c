// /references/{id}/recall: an admin asks what withdrawing a weighbridge for some days would change, and proposes it.
import Users from 'lucide-react/icons/users';
import { Form, href } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { referenceOf } from '#app/references/reference-action.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { WITHDRAWAL_REASONS, withdrawnSentence } from '#app/references/withdrawal.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { SelectField } from '#app/ui/select-field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { NOTE_MAX } from '../note-max.ts';
import { PreviewCard } from '../preview-card.tsx';
import { previewWithdrawal } from '../preview-withdrawal.server.ts';
import { proposeAction } from '../withdrawal-action.server.ts';
import { askedSpan } from '../withdrawal-entry.server.ts';
import type { Route } from './+types/withdraw';

export const meta = titled('Withdraw weighbridge');

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const since = await logSize(db);
  const reference = await referenceOf(context, params.id);
  const { from, to, span, errors } = askedSpan(url.searchParams);
  const zone = config.timeZone;
  const today = todayIn(zone, now());
  return {
    since,
    id: reference.id,
    name: reference.name,
    line: referenceLine(reference),
    idempotencyKey: newIdempotencyKey(),
    isAlone: !(await hasOtherAdmin(db, requireSignedIn(context).personId)),
    asked: { from, to, errors },
    sentence: span === null ? null : withdrawnSentence(span),
    preview:
      span === null
        ? null
        : await previewWithdrawal(db, reference.id, { span, today, policy: await currentPolicy(db), zone }),
    asAt: formatMoment(now(), zone),
  };
}

export const action = (args: Route.ActionArgs) => proposeAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.withdrawReference);

export default function WithdrawRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { since, id, name, line, asked, preview } = loaderData;
  const { from, to, errors } = asked;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-190 gap-5">
      <Subscription topics={['references', 'visits']} since={since} whereOneTypes />
      <div>
        <h1 className="pb-1 text-xl wrap-anywhere">{`Withdraw ${name}`}</h1>
        <p className="wrap-anywhere text-ink-2">{line}</p>
      </div>
      <FormNotes answer={answer} />
      <Form
        key={`${from} ${to}`}
        className="card flex flex-wrap items-start gap-5 p-5 max-row:p-4"
        role="search"
        aria-label="Days of the withdrawal"
      >
        <TextField
          name="from"
          label="From"
          hint="The first day."
          type="date"
          defaultValue={from}
          error={errors.from ?? answer?.errors.from}
        />
        <TextField
          name="to"
          label="To"
          hint="The last day."
          type="date"
          defaultValue={to}
          error={errors.to ?? answer?.errors.to}
        />
        <div className="flex flex-wrap gap-3 self-end pb-0.5">
          <button type="submit" className="button-look button-secondary">
            Show what changes
          </button>
          {preview === null ? <GoBack fallback={href('/references/:id', { id })} /> : null}
        </div>
      </Form>
      {preview === null ? null : (
        <>
          <PreviewCard preview={preview} asAt={loaderData.asAt} />
          <Proposal loaderData={loaderData} answer={answer} />
        </>
      )}
    </main>
  );
}

type Proposed = Pick<Route.ComponentProps, 'loaderData'> & { answer: Route.ComponentProps['actionData'] };

function Proposal({ loaderData, answer }: Proposed) {
  const { id, asked, isAlone, sentence, idempotencyKey } = loaderData;
  return (
    <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-5 max-row:p-4">
      <input type="hidden" name="from" value={asked.from} />
      <input type="hidden" name="to" value={asked.to} />
      <SelectField
        name="reason"
        label="Reason"
        hint="Required. Shown in public."
        empty="Choose a reason"
        groups={[{ options: WITHDRAWAL_REASONS.map(({ reason, words }) => ({ value: reason, label: words })) }]}
      />
      <TextAreaField name="note" label="Note for administrators (optional)" maxLength={NOTE_MAX} />
      <p className="flex gap-3 rounded-md border border-line-strong bg-sunken p-3 text-sm">
        <Users size={20} aria-hidden="true" className="shrink-0" />
        <span>
          <b>
            {isAlone
              ? 'You are the only administrator: this takes effect at once, and the page says that nobody else looked.'
              : 'A second administrator must confirm this.'}
          </b>
          {` Pages and emails will say: “${sentence ?? ''}” It can be lifted later.`}
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        <SubmitButton look="danger">{isAlone ? 'Withdraw' : 'Ask for confirmation'}</SubmitButton>
        <GoBack fallback={href('/references/:id', { id })} />
      </div>
      <NotSavedBar />
    </AnswerForm>
  );
}
