// The action of the form that decides about a visit.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { decideVisit, type DecideVisitAnswer } from '#app/visits/decide-visit.server.ts';
import { DECISION_REASONS, stateWord } from '#app/visits/visit.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalText } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { withList } from '#app/ui/list-address.ts';
import { NOT_YOURS, NOTE_MAX } from './decision.ts';

const decisionSchema = z.object({
  decision: z.enum(['accepted', 'set-aside'], { error: 'Choose whether to accept the visit or set it aside.' }),
  reason: z
    .enum(['', ...DECISION_REASONS.map(({ reason }) => reason)], { error: 'Choose a reason of the list.' })
    .default(''),
  note: optionalText(NOTE_MAX),
  opened_state: z.string().default(''),
  opened_as: z.string().default(''),
  /** The visit that waits next. */
  next: z.string().default(''),
});
export type DecisionField = keyof z.infer<typeof decisionSchema>;

export function decideAction(submission: Submission, id: string) {
  const { db, now } = submission.context.get(servicesContext);
  return submitForm(submission, {
    failure: FAILURES.visit,
    nothing: 'Nothing was decided.',
    schema: decisionSchema,
    async write({ input: { opened_state: openedState, opened_as: openedAs, next, ...input }, key }) {
      const who = requireSignedIn(submission.context);
      const answer = await decideVisit(db, who, {
        visitId: id,
        input: { ...input, openedState, openedAs },
        now: now(),
        key,
      });
      if (answer.decided) {
        const from = new URL(submission.request.url).searchParams.get('from');
        const flash = input.decision === 'accepted' ? 'visit-accepted' : 'visit-set-aside';
        return { goTo: { flash, to: next === '' ? '/visits' : withList(`/visits/${encodeURIComponent(next)}`, from) } };
      }
      return refuse(answer);
    },
  });
}

const REFUSALS = {
  unknown: refused(404, { code: 'visit-unknown', sentence: 'There is no such visit.' }),
  removed: refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed. Nothing was decided.' }),
  'own-visit': refused(403, { code: 'own-visit', sentence: NOT_YOURS['own-visit'] }),
  'admitted-by-you': refused(403, { code: 'admitted-by-you', sentence: NOT_YOURS['admitted-by-you'] }),
  'too-new': refused(403, { code: 'too-new', sentence: NOT_YOURS['too-new'] }),
  'due-date': refused(409, {
    code: 'due-date',
    sentence: 'The visit states no due date within the longest interval. Correct its due date first, then accept it.',
  }),
} as const;

function refuse(answer: DecideVisitAnswer & { decided: false }) {
  if (answer.reason === 'reason-missing')
    return refused<DecisionField>(400, { errors: { reason: 'Choose a public reason.' } });
  if (answer.reason === 'stale')
    return refused<DecisionField>(409, {
      code: 'changed-meanwhile',
      sentence: `The visit has changed since you opened it, and is now: ${stateWord(answer.state)}. Nothing was decided. Look at it again.`,
    });
  return REFUSALS[answer.reason];
}
