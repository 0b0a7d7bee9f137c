// The form of kept lists: keeps one, or forgets one.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { optionalLine } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { forgetList, KEPT_MAX, keepList, keptHref } from './kept-lists.server.ts';
import { KEPT_NAME_MAX } from './list-query.ts';

const keptSchema = z.object({
  name: optionalLine(KEPT_NAME_MAX),
  of: z.string().max(1000).default(''),
  forget: z.uuid().or(z.literal('')).default(''),
});

export function keptAction(submission: Submission) {
  const { context } = submission;
  return submitForm(submission, {
    failure: FAILURES.keepList,
    schema: keptSchema,
    async write({ input: { name, of, forget } }) {
      const { db } = context.get(servicesContext);
      const { personId } = requireSignedIn(context);
      if (forget !== '') {
        await forgetList(db, personId, forget);
        return { shown: true };
      }
      if (name === '') return refused(400, { errors: { name: 'Enter a name, such as: Due in December.' } });
      if ((await keepList(db, personId, { name, query: of })) === 'too-many')
        return refused(409, { code: 'too-many', sentence: `You keep ${KEPT_MAX} lists. Remove one first.` });
      return { goTo: { to: keptHref(of), flash: 'list-kept' } };
    },
  });
}
