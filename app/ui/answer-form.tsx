import { type ComponentProps } from 'react';
import { Form } from 'react-router';
import { useFocusOnError } from './field.tsx';
import type { FormAnswer } from './form-answer.ts';
import { Answered } from './merged-edits.tsx';
import { useSaved } from './use-saved.ts';

/**
 * A posted form and its latest answer. The fields, files and buttons inside show what the answer says of them; the
 * first field with an error gets the focus; after a save the next page follows. The browser sends what was typed as it
 * is, so that all errors are told at once, in our words; where it is to check first, `noValidate` is false.
 */
export function AnswerForm({
  answer,
  idempotencyKey,
  children,
  ...form
}: {
  answer: FormAnswer<string, unknown> | undefined;
  idempotencyKey?: string;
} & Omit<ComponentProps<typeof Form>, 'method' | 'ref'>) {
  const ref = useFocusOnError(answer);
  useSaved(answer?.saved);
  return (
    <Answered value={{ answer, values: answer?.values ?? {} }}>
      <Form ref={ref} method="post" noValidate {...form}>
        {idempotencyKey === undefined ? null : <input type="hidden" name="form_key" value={idempotencyKey} />}
        {children}
      </Form>
    </Answered>
  );
}
