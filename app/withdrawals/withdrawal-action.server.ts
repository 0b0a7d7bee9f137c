// The actions of the forms about withdrawals of weighbridges.
import { data } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { TOO_NEW } from '#app/people/two-people.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { findWithdrawal, type Withdrawal } from '#app/references/withdrawal-queries.server.ts';
import {
  decideWithdrawal,
  proposeWithdrawal,
  WITHDRAWAL_DECISIONS,
  type WithdrawalDecision,
} from './decide-withdrawal.server.ts';
import { proposalSchema, spanRefused, type ProposalField } from './withdrawal-entry.server.ts';

type Context = Submission['context'];

const pageOf = (id: string) => `/references/recalls/${id}`;

/** The withdrawal of a page's address. Throws a 404 when there is none. */
export async function withdrawalOf(context: Context, id: string): Promise<Withdrawal> {
  const found = await findWithdrawal(context.get(servicesContext).db, id);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return found;
}

export function proposeAction(submission: Submission, referenceId: string) {
  return submitForm(submission, {
    failure: FAILURES.withdrawReference,
    nothing: 'Nothing was withdrawn.',
    schema: proposalSchema,
    async write({ input: { from: fromOn, to: toOn, reason, note }, key }) {
      const refusal = spanRefused({ fromOn, toOn });
      if (refusal !== undefined) return refused(400, { errors: { to: refusal } });
      const services = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      const answer = await proposeWithdrawal(services, who, { referenceId, fromOn, toOn, reason, note, key });
      if (answer.proposed) {
        const flash = answer.isInForce ? 'reference-withdrawn' : 'withdrawal-proposed';
        return { goTo: { flash, to: pageOf(answer.id) } };
      }
      return answer.reason === 'unknown'
        ? refused(404, { code: 'weighbridge-unknown', sentence: 'There is no such weighbridge in this register.' })
        : refused<ProposalField>(409, {
            code: 'proposed-already',
            sentence: 'Another withdrawal of this weighbridge is proposed. Confirm or drop that one first.',
            link: { href: pageOf(answer.id), label: 'Open it' },
          });
    },
  });
}

const isDecision = (text: string): text is WithdrawalDecision => Object.hasOwn(WITHDRAWAL_DECISIONS, text);
const decisionSchema = z.object({
  decision: z.string().default('').refine(isDecision, 'Choose what to do.'),
});

const DONE = {
  confirm: 'reference-withdrawn',
  drop: 'withdrawal-dropped',
  'propose-lift': 'lift-proposed',
  'confirm-lift': 'withdrawal-lifted',
  'drop-lift': 'withdrawal-dropped',
} as const satisfies Record<WithdrawalDecision, string>;

export function decideAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.withdrawReference,
    nothing: 'Nothing was changed.',
    schema: decisionSchema,
    async write({ input: { decision }, key }) {
      const services = submission.context.get(servicesContext);
      const answer = await decideWithdrawal(services, requireSignedIn(submission.context), { id, decision, key });
      if (answer.decided) return { goTo: { flash: DONE[decision], to: pageOf(id) } };
      if (answer.reason === 'stale')
        return refused(409, {
          code: 'changed-meanwhile',
          sentence: `The withdrawal is now: ${answer.state}. Nothing was changed. Look at it again.`,
        });
      return REFUSALS[answer.reason];
    },
  });
}

const REFUSALS = {
  unknown: refused(404, { code: 'withdrawal-unknown', sentence: 'There is no such withdrawal.' }),
  own: refused(403, { code: 'own-proposal', sentence: 'Another administrator has to confirm what you proposed.' }),
  'too-new': refused(403, { code: 'too-new', sentence: TOO_NEW }),
  notice: refused(409, {
    code: 'notice-runs',
    sentence: 'No administrator of 90 days can confirm this lift: it waits for seven days in public.',
  }),
} as const;
