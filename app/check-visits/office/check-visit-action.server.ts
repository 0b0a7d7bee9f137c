// The action of the form that asks for a check visit, or withdraws it.
import { href } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalReason } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { askCheckVisit, withdrawCheckVisit } from './ask-check-visit.server.ts';

const schema = z
  .object({
    decision: z.enum(['ask', 'withdraw'], { error: 'Choose whether to ask or to withdraw.' }),
    reason: optionalReason,
  })
  .refine(({ decision, reason }) => decision === 'withdraw' || reason !== '', {
    path: ['reason'],
    message: 'Enter a reason.',
  });
export type CheckVisitField = keyof z.infer<typeof schema>;

export function checkVisitAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.checkVisit,
    nothing: 'Nothing was changed.',
    schema,
    async write({ input: { decision, reason }, key }) {
      const services = submission.context.get(servicesContext);
      const who = requireSignedIn(submission.context);
      const to = href('/visits/:id', { id });
      if (decision === 'ask') {
        const answer = await askCheckVisit(services, who, { visitId: id, note: reason }, key);
        return answer.asked ? { goTo: { flash: 'check-visit-asked', to } } : refuse(answer.reason);
      }
      const answer = await withdrawCheckVisit(services, who, id, key);
      return answer.withdrawn ? { goTo: { flash: 'check-visit-withdrawn', to } } : refuse(answer.reason);
    },
  });
}

const REFUSALS = {
  unknown: [404, 'visit-unknown. There is no such visit.'],
  removed: [409, 'vehicle-removed. This vehicle has been removed.'],
  'own-visit': [403, 'own-visit. You recorded or corrected this visit. Another administrator asks for a check visit.'],
  open: [409, 'visit-open. This visit is not finished yet.'],
  'wanted-already': [409, 'wanted-already. A check visit of this truck is wanted already.'],
  gone: [
    409,
    'changed-meanwhile. No check visit that somebody asked for is wanted about this visit any more. Look at it again.',
  ],
} as const;

function refuse(reason: keyof typeof REFUSALS) {
  const [status, cause] = REFUSALS[reason];
  return refused<CheckVisitField>(status, { cause });
}
