// The question before a record leaves, as it was answered.
import type { z } from 'zod';
import { isScripted } from '#app/platform/http/form.server.ts';
import { FAILURES } from './failures.ts';
import { refused, submitForm, type Submission } from './submit-form.server.ts';

/** `gone`: it was no longer there, and its page is not either. */
export type NotDeleted = { gone: string; status?: number } | { cause: string };

/** `remove` says why it did not; `list` is shown after. */
export function submitDeletion<Shape extends z.ZodRawShape>(
  submission: Submission,
  {
    list,
    schema,
    remove,
  }: {
    list: string;
    schema: z.ZodObject<Shape>;
    remove: (formKey: unknown, input: z.infer<z.ZodObject<Shape>>) => Promise<NotDeleted | undefined>;
  },
) {
  return submitForm(submission, {
    failure: FAILURES.deletion,
    nothing: 'Nothing was deleted.',
    schema,
    async write({ input, formKey }) {
      const not = await remove(formKey, input);
      if (not === undefined) return { goTo: { notice: 'record-deleted', to: list } };
      if ('cause' in not) return refused(409, { cause: not.cause });
      // Without scripts this page would be of a record that is no longer there: the list says it.
      if (!isScripted(submission.request)) return { goTo: { notice: 'deleted-already', to: list } };
      return refused(not.status ?? 409, { cause: not.gone });
    },
  });
}
