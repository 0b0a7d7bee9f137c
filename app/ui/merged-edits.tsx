// A form whose record somebody else saved meanwhile shows the current value at each field that they changed.
import { createContext, useContext, type ReactNode } from 'react';
import { KEEP_THEIRS, openedName } from '#app/platform/http/merge-edits.ts';
import type { FormAnswer } from './form-answer.ts';

/**
 * Sentences by field. `taken`: only the other person changed it. `disputed`: both did. `replaced`: the fields whose
 * text the answer has changed.
 */
export type MergedEdits = {
  replaced: readonly string[];
  taken?: Readonly<Record<string, string>>;
  disputed?: Readonly<Record<string, string>>;
};

const Merged = createContext<MergedEdits | undefined>(undefined);

/**
 * The fields of a form for a record that others may change. `opened`: the texts with which it was opened. They are sent
 * as hidden fields, so that the server can see who changed what. The fields inside show the answer's sentences.
 */
export function EditedFields({
  opened,
  answer,
  children,
}: {
  opened: Readonly<Record<string, string | undefined>>;
  answer: FormAnswer | undefined;
  children: ReactNode;
}) {
  const answered: Readonly<Record<string, string | undefined>> = answer?.values ?? {};
  return (
    <Merged value={answer?.merged}>
      {Object.entries(opened).map(([field, text]) => (
        <input key={field} type="hidden" name={openedName(field)} value={answered[openedName(field)] ?? text ?? ''} />
      ))}
      {children}
    </Merged>
  );
}

/**
 * The sentences of a field, and its React `key`. The key changes when the answer has replaced the text: a new input
 * shows the new default value, while the old one would keep the typed text.
 */
export function useMerged(field: string, text: string | undefined) {
  const merged = useContext(Merged);
  return {
    key: merged?.replaced.includes(field) === true ? `replaced ${text}` : 'typed',
    taken: merged?.taken?.[field],
    disputed: merged?.disputed?.[field],
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
