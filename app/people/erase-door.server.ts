// The form that erases a removed person's data as it comes in, and the answers to its sender.
import { z } from 'zod';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm, type Submission } from '#app/forms/submit-form.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import { ERASE_REASON_MAX_LENGTH } from './erase-answer.ts';
import { erasePerson, type EraseAnswer } from './erase-person.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';

const eraseSchema = z.object({
  reason: z
    .string()
    .default('')
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, 'Enter the reason.')
        .max(ERASE_REASON_MAX_LENGTH, `Use at most ${ERASE_REASON_MAX_LENGTH} characters.`),
    ),
});

/** `find` throws the page's answer when there is nobody; `list` is shown after. */
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
      const answer = await erasePerson(context.get(services), requireSignedIn(context), personId, reason);
      if (answer.erased) return { goTo: { notice: 'person-erased', to: list } };
      return refused(409, { cause: causeOf(answer.reason) });
    },
  });

function causeOf(reason: Extract<EraseAnswer, { erased: false }>['reason']): string {
  switch (reason) {
    case 'still-active':
      return 'still-active. This person has access to the registry. Remove them first.';
    case 'application-open':
      return 'application-open. This person asked to be registered again. Decide on that first.';
    case 'erased-already':
    case 'unknown':
      return 'erased-already. Their data were erased before.';
  }
}
