// A form whose record somebody else saved meanwhile shows the current value at each field that they changed.
import { createContext, useContext, type ReactNode } from 'react';
import { KEEP_THEIRS, openedName } from '#app/platform/http/merge-edits.ts';
import type { FormAnswer } from './form-answer.ts';

type Texts = Readonly<Record<string, string | undefined>>;

/** The latest answer to the form around a component, and the texts that its fields show. */
export const Answered = createContext<{ answer?: FormAnswer<string, unknown> | undefined; values: Texts }>({
  values: {},
});

/**
 * The fields of a form for a record that others may change. `opened`: the texts with which it was opened. They are sent
 * as hidden fields, so that the server can see who changed what. The fields inside show the answer's sentences.
 */
export function EditedFields({
  opened,
  answer,
  children,
}: {
  opened: Texts;
  answer: FormAnswer | undefined;
  children: ReactNode;
}) {
  const answered: Texts = answer?.values ?? {};
  return (
    <Answered value={{ answer, values: { ...opened, ...answered } }}>
      {Object.entries(opened).map(([field, text]) => (
        <input key={field} type="hidden" name={openedName(field)} value={answered[openedName(field)] ?? text ?? ''} />
      ))}
      {children}
    </Answered>
  );
}

/**
 * What the form's answer says of a field, and the field's React `key`. `text`: what it shows, by default the answer's.
 * The key changes when the answer has replaced the text: a new input shows the new default value, while the old one
 * would keep the typed text.
 */
export function useAnswered(field: string, given?: string) {
  const { answer, values } = useContext(Answered);
  const text = given ?? values[field];
  return {
    text,
    key: answer?.merged?.replaced.includes(field) === true ? `replaced ${text}` : 'typed',
    error: answer?.errors[field],
    taken: answer?.merged?.taken?.[field],
    disputed: answer?.merged?.disputed?.[field],
  };
}

/** A checkbox below a disputed field that keeps the other person's text. It works without scripts. */
export function KeepTheirs({ field, label }: { field: string; label: string }) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-2.5 justify-self-start font-semibold">
      <input
        type="checkbox"
        name={KEEP_THEIRS}
        value={field}
        aria-label={`Keep theirs: ${label}`}
        className="size-5 shrink-0 accent-accent"
      />
      Keep theirs
    </label>
  );
}
