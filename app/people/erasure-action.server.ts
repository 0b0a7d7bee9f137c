// The action of the form that erases a removed person's data.
import { z } from 'zod';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { requiredReason } from '#app/forms/text-fields.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { erasePerson, type EraseAnswer } from './erase-person.server.ts';
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
      const answer = await erasePerson(context.get(servicesContext), requireSignedIn(context), personId, reason);
      if (answer.erased) return { goTo: { flash: 'person-erased', to: list } };
      return refused(409, { cause: causeOf(answer.reason) });
    },
  });

function causeOf(reason: Extract<EraseAnswer, { erased: false }>['reason']): string {
  switch (reason) {
    case 'still-active':
      return 'still-active. This person has access to the registry. Remove them first.';
    case 'removal-open':
      return 'removal-open. Their removal may still be refused. Erase them when it stands.';
    case 'application-open':
      return 'application-open. This person asked to be registered again. Decide on that first.';
    case 'erased-already':
    case 'unknown':
      return 'erased-already. Their data were erased before.';
  }
}
