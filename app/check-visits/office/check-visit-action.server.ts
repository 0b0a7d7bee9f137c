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
        const answer = await askCheckVisit(services, who, { visitId: id, note: reason, key });
        return answer.asked ? { goTo: { flash: 'check-visit-asked', to } } : refuse(answer.reason);
      }
      const answer = await withdrawCheckVisit(services, who, { visitId: id, key });
      return answer.withdrawn ? { goTo: { flash: 'check-visit-withdrawn', to } } : refuse(answer.reason);
    },
  });
}

const REFUSALS = {
  unknown: refused(404, { code: 'visit-unknown', sentence: 'There is no such visit.' }),
  removed: refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed.' }),
  'own-visit': refused(403, {
    code: 'own-visit',
    sentence: 'You recorded or corrected this visit. Another administrator asks for a check visit.',
  }),
  open: refused(409, { code: 'visit-open', sentence: 'This visit is not finished yet.' }),
  'wanted-already': refused(409, {
    code: 'wanted-already',
    sentence: 'A check visit of this truck is wanted already.',
  }),
  gone: refused(409, {
    code: 'changed-meanwhile',
    sentence: 'No check visit that somebody asked for is wanted about this visit any more. Look at it again.',
  }),
} as const;

function refuse(reason: keyof typeof REFUSALS) {
  return REFUSALS[reason];
}
