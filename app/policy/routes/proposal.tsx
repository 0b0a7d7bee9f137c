// /settings/policy/proposal: a proposed change that loosens the policy. A second admin confirms it; any admin withdraws
// it.
import { Form, Link } from 'react-router';
import { z } from 'zod';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { TOO_NEW } from '#app/people/two-people.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { confirmProposal, isOwnProposal, withdrawProposal } from '../decide-proposal.server.ts';
import { PendingProposal } from '../pending-proposal.tsx';
import { presentProposal } from '../present-proposal.server.ts';
import { findProposal, policyAndLogSize } from '../queries.server.ts';
import type { Route } from './+types/proposal';

export const meta = titled('Proposed rules');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const { since, policy } = await policyAndLogSize(db);
  const proposal = await findProposal(db);
  return {
    since,
    idempotencyKey: newIdempotencyKey(),
    proposal:
      proposal === undefined
        ? null
        : {
            ...presentProposal(proposal, policy, config.timeZone),
            id: proposal.id,
            by: proposal.by,
            reason: proposal.reason,
            isOwn: isOwnProposal(proposal, requireSignedIn(context)),
          },
  };
}

const schema = z.object({ id: z.string().default(''), decision: z.enum(['confirm', 'withdraw']) });
const GONE = refused(409, {
  code: 'proposal-gone',
  sentence:
    'It was confirmed or withdrawn, or another rules version came into force since. Settings shows what holds now.',
});

const REFUSALS = {
  gone: GONE,
  own: refused(409, { code: 'own-proposal', sentence: 'Another administrator has to confirm what you proposed.' }),
  'too-new': refused(409, { code: 'too-new', sentence: TOO_NEW }),
  notice: refused(409, {
    code: 'notice-runs',
    sentence: 'Nobody here has been an administrator for 90 days: confirm it when its seven days have ended.',
  }),
} as const;

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.policy,
    nothing: 'Nothing was changed.',
    schema,
    async write({ input: { id, decision }, key }) {
      const services = args.context.get(servicesContext);
      const who = requireSignedIn(args.context);
      if (decision === 'withdraw') {
        const { withdrawn } = await withdrawProposal(services, who, { id, key });
        return withdrawn ? { goTo: { flash: 'proposal-withdrawn', to: '/settings' } } : GONE;
      }
      const answer = await confirmProposal(services, who, { id, key });
      if (answer.confirmed) return { goTo: { flash: 'policy-changed', to: '/settings' } };
      return answer.reason === 'gone' ? GONE : REFUSALS[answer.reason];
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.policy);

export default function PolicyProposal({ loaderData, actionData }: Route.ComponentProps) {
  const { since, idempotencyKey, proposal } = loaderData;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={['policy']} since={since} />
      <h1 className="pb-5 text-xl">Proposed rules</h1>
      <FormNotes answer={answer} />
      {proposal === null ? (
        <>
          <p>No change of the rules is proposed.</p>
          <p className="pt-4">
            <Link to="/settings" className="inline-flex min-h-11 items-center">
              Settings
            </Link>
          </p>
        </>
      ) : (
        <Card title="What would change" id="proposal">
          <div className="px-5 py-4">
            <PendingProposal {...proposal} />
            <p className="pt-2 wrap-anywhere">
              {`By ${proposal.by}. ${proposal.reason === '' ? 'No reason is given.' : `Reason: ${proposal.reason}`}`}
            </p>
            <IfMay to="change policy">
              <Form method="post" className="flex flex-wrap gap-3 pt-4">
                <input type="hidden" name="form_key" value={idempotencyKey} />
                <input type="hidden" name="id" value={proposal.id} />
                {proposal.isOwn ? null : (
                  <SubmitButton name="decision" value="confirm">
                    Confirm
                  </SubmitButton>
                )}
                <SubmitButton name="decision" value="withdraw" look="secondary">
                  Withdraw
                </SubmitButton>
                <ButtonLink to="/settings">Cancel</ButtonLink>
              </Form>
            </IfMay>
          </div>
        </Card>
      )}
    </main>
  );
}
