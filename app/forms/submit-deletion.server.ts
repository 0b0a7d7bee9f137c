// Handles the form that confirms a deletion (ui/delete-record.tsx).
import type { z } from 'zod';
import { isScripted } from '#app/platform/http/form.server.ts';
import type { Cause } from '#app/ui/form-answer.ts';
import { FAILURES } from './failures.ts';
import { refused, submitForm, type Submission } from './submit-form.server.ts';

/** `isGone`: the record was deleted before, and its page no longer exists. */
export type NotDeleted = Cause & { isGone?: true; status?: number };

/** `remove` deletes it, or says why not. `list`: the page shown then. `about`: the id of what can be restored. */
export function submitDeletion<Shape extends z.ZodRawShape>(
  submission: Submission,
  {
    list,
    about,
    schema,
    remove,
  }: {
    list: string;
    about?: string | undefined;
    schema: z.ZodObject<Shape>;
    remove: (key: unknown, input: z.infer<z.ZodObject<Shape>>) => Promise<NotDeleted | undefined>;
  },
) {
  return submitForm(submission, {
    failure: FAILURES.deletion,
    nothing: 'Nothing was deleted.',
    schema,
    async write({ input, key }) {
      const not = await remove(key, input);
      if (not === undefined) return { goTo: { flash: 'record-deleted', to: list, about } };
      // Without scripts, the answer would be rendered on the page of a deleted record: the list shows the message
      // instead.
      const { isGone = false, status = 409, ...cause } = not;
      if (isGone && !isScripted(submission.request)) return { goTo: { flash: 'deleted-already', to: list } };
      return refused(status, cause);
    },
  });
}
