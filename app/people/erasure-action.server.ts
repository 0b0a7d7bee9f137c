// The action of the form that erases a removed person's data.
import { z } from 'zod';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { requiredReason } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { erasePerson } from './erase-person.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';

const eraseSchema = z.object({ reason: requiredReason('Enter the reason.') });

/** `find` throws the page's 404 when the person is unknown. `list`: the page to redirect to afterwards. */
export const eraseAction = (
  submission: Submission,
  find: () => Promise<{ personId: string }>,
  list: '/admins' | '/technicians',
) =>
  submitForm(submission, {
    failure: FAILURES.erasure,
    nothing: 'Nothing was erased.',
    schema: eraseSchema,
    async write({ input: { reason } }) {
      const { context } = submission;
      const { personId } = await find();
      const answer = await erasePerson(context.get(servicesContext), requireSignedIn(context), { personId, reason });
      if (answer.erased) return { goTo: { flash: 'person-erased', to: list } };
      return refused(409, CAUSES[answer.reason]);
    },
  });

const ERASED = { code: 'erased-already', sentence: 'Their data were erased before.' };
const CAUSES = {
  'still-active': { code: 'still-active', sentence: 'This person has access to the registry. Remove them first.' },
  'removal-open': { code: 'removal-open', sentence: 'Their removal may still be refused. Erase them when it stands.' },
  'application-open': {
    code: 'application-open',
    sentence: 'This person asked to be registered again. Decide on that first.',
  },
  'erased-already': ERASED,
  unknown: ERASED,
};
