// The action of the form by which an admin finds a visit's weighbridge in the register.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { matchVisit, type MatchVisitAnswer } from '#app/visits/match-visit.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalLine } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { matchReference } from '#app/references/match-reference.server.ts';
import { NOT_YOURS } from './decision.ts';

const matchSchema = z.object({
  weighbridge: optionalLine(300),
  reference_id: z.string().default(''),
  /** The visit's weighbridge as the page showed it; '' is none. */
  opened_reference: z.string().default(''),
});
export type MatchField = keyof z.infer<typeof matchSchema>;

const NOT_FOUND = 'Choose a weighbridge of the register: its name, or the whole line that is suggested.';

export function matchAction(submission: Submission, id: string) {
  return submitForm(submission, {
    failure: FAILURES.matchVisit,
    nothing: 'Nothing was changed.',
    schema: matchSchema,
    async write({ input, key }) {
      const services = submission.context.get(servicesContext);
      const { referenceId } = await matchReference(services.db, input);
      if (referenceId === null) return refused<MatchField>(400, { errors: { weighbridge: NOT_FOUND } });
      const openedReference = input.opened_reference === '' ? null : input.opened_reference;
      const who = requireSignedIn(submission.context);
      const answer = await matchVisit(services, who, id, { referenceId, openedReference }, key);
      return answer.matched
        ? { goTo: { flash: 'visit-matched', to: `/visits/${encodeURIComponent(id)}` } }
        : refuse(answer);
    },
  });
}

const REFUSALS = {
  unknown: refused(404, { code: 'visit-unknown', sentence: 'There is no such visit.' }),
  removed: refused(409, { code: 'vehicle-removed', sentence: 'This vehicle has been removed. Nothing was changed.' }),
  stale: refused(409, {
    code: 'changed-meanwhile',
    sentence: 'The visit names another weighbridge by now, or this one. Look at it again.',
  }),
  withdrawn: refused(409, {
    code: 'withdrawn',
    sentence: 'The weighbridge that the visit names was withdrawn for that day. Lift it, or decide.',
  }),
  'own-visit': refused(403, { code: 'own-visit', sentence: NOT_YOURS['own-visit'] }),
  'admitted-by-you': refused(403, { code: 'admitted-by-you', sentence: NOT_YOURS['admitted-by-you'] }),
  'too-new': refused(403, { code: 'too-new', sentence: NOT_YOURS['too-new'] }),
} as const;

function refuse({ reason }: MatchVisitAnswer & { matched: false }) {
  if (reason === 'no-reference') return refused<MatchField>(400, { errors: { weighbridge: NOT_FOUND } });
  return REFUSALS[reason];
}
