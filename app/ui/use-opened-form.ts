import { useState } from 'react';
import { useLatestAnswer } from './form-notes.tsx';

/** The loader data that such a form needs. */
type Loaded = { changedBy: string; values: { version: string } };

/**
 * A form for a record that others may change. `opened`: the data when the form was opened. When a live update brings a
 * newer version, `meanwhile` is a sentence about it; the typed text stays.
 */
export function useOpenedForm<Data extends Loaded, Answer extends { saved?: unknown }>(
  loaded: Data,
  actionAnswer: Answer | undefined,
): { opened: Data; answer: Answer | undefined; meanwhile: string | undefined } {
  const [opened] = useState(loaded);
  const answer = useLatestAnswer(actionAnswer);
  const changed = loaded.values.version !== opened.values.version && answer?.saved === undefined;
  const meanwhile = `${loaded.changedBy} changed this in the meantime. What you typed is still here. When you save, you will see both versions.`;
  return { opened, answer, meanwhile: changed ? meanwhile : undefined };
}
