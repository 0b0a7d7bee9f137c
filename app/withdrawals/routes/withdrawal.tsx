// /references/recalls/{id}: a withdrawal of a weighbridge. A second admin confirms it and its lift; any admin drops a
// proposal.
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { Form, href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { Note } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { NearVisits } from '../near-visits.tsx';
import { decideAction, withdrawalOf } from '../withdrawal-action.server.ts';
import { withdrawalPage, type WithdrawalPage } from '../withdrawal-page.server.ts';
import type { Route } from './+types/withdrawal';

export const meta = titled('Withdrawal');

export async function loader({ params, context }: Route.LoaderArgs) {
  const withdrawal = await withdrawalOf(context, params.id);
  return withdrawalPage(context.get(servicesContext), requireSignedIn(context), withdrawal);
}

export const action = (args: Route.ActionArgs) => decideAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.withdrawReference);

const WORDS = {
  proposed: 'Proposed. Nothing has changed yet.',
  dropped: 'Dropped. Nothing has changed.',
  'in force': 'In force',
  'lift proposed': 'In force. Lifting it is proposed.',
  lifted: 'Lifted',
} as const satisfies Record<WithdrawalPage['state'], string>;

export default function WithdrawalRoute({ loaderData: page, actionData }: Route.ComponentProps) {
  const answer = useLatestAnswer(actionData);
  const { referenceId, line, span, reason, note, state, steps, near, sentence } = page;
  return (
    <main id="main" className="grid max-w-190 gap-5">
      <Subscription topics={['references', 'visits']} since={page.since} />
      <div>
        <Link
          to={href('/references/:id', { id: referenceId })}
          className="inline-flex min-h-11 items-center gap-1.5 text-sm wrap-anywhere"
        >
          <ChevronLeft size={18} aria-hidden="true" className="shrink-0" />
          {line}
        </Link>
        <h1 className="text-xl">{`Withdrawal for ${span}`}</h1>
        <p className="text-ink-2">{WORDS[state]}</p>
      </div>
      <FormNotes answer={answer} />
      <Card title="Withdrawal" id="withdrawal">
        <FactList
          facts={[
            { label: 'Reason', value: reason },
            { label: 'Note', value: note === '' ? 'None' : note },
            { label: 'What pages say', value: sentence },
            { label: 'Visits', value: progressWords(page) },
          ]}
        />
        <ul className="border-t border-line px-5 py-3 text-sm">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      </Card>
      <IfMay to="withdraw weighbridges">
        <Decide page={page} />
      </IfMay>
      <NearVisits visits={near} />
    </main>
  );
}

function progressWords({ progress, state }: WithdrawalPage): string {
  if (progress === null) return state === 'proposed' ? 'Applied once it is confirmed' : 'None';
  const { done, all, isDone } = progress;
  const counted = `${done.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')}`;
  if (state === 'lifted') return `${isDone ? 'Restored' : 'Being restored'}: ${counted}`;
  return `${isDone ? 'Applied' : 'Being applied'}: ${counted}`;
}

function Decide({ page: { state, isOwn, isAlone, liftFrom, idempotencyKey } }: { page: WithdrawalPage }) {
  if (state === 'dropped' || state === 'lifted') return null;
  const isLift = state !== 'proposed';
  const waits = state !== 'in force';
  return (
    <div className="grid gap-3">
      {isOwn && waits ? <Note kind="info">Another administrator has to confirm what you proposed.</Note> : null}
      {isAlone ? (
        <p className="text-sm text-ink-2">
          {isLift
            ? 'You are the only administrator: a lift takes effect by itself after seven days, and this page will say that nobody else looked.'
            : 'You are the only administrator: this page will say that nobody else looked.'}
        </p>
      ) : null}
      {liftFrom === null ? null : (
        <p className="text-sm text-ink-2">{`Where no administrator of 90 days can confirm it, the lift takes effect from ${liftFrom} on.`}</p>
      )}
      <Form method="post" className="flex flex-wrap gap-3">
        <input type="hidden" name="form_key" value={idempotencyKey} />
        {waits ? (
          <>
            {isOwn || (isAlone && isLift) ? null : (
              <SubmitButton
                name="decision"
                value={isLift ? 'confirm-lift' : 'confirm'}
                look={isLift ? 'primary' : 'danger'}
              >
                {isLift ? 'Confirm the lift' : 'Confirm the withdrawal'}
              </SubmitButton>
            )}
            <SubmitButton name="decision" value={isLift ? 'drop-lift' : 'drop'} look="secondary">
              Drop the proposal
            </SubmitButton>
          </>
        ) : (
          <SubmitButton name="decision" value="propose-lift" look="secondary">
            Propose to lift it
          </SubmitButton>
        )}
      </Form>
    </div>
  );
}
