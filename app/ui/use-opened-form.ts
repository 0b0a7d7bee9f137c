import { useState } from 'react';
import { useLiveUpdates } from '#app/platform/live/live-client.ts';
import { useKeptAnswer } from './use-kept-answer.ts';

/** What the loader of such a form gives. `since`: the log's size before the record was read. */
type Loaded = { since: number; changedBy: string; values: { version: string } };

/**
 * A form for a record that others may change, as it was when the form was `opened`: what they do on `topic` is told
 * (`meanwhile`), and touches nothing that is typed.
 */
export function useOpenedForm<Data extends Loaded, Answer extends { saved?: unknown }>(
  topic: string,
  loaded: Data,
  actionAnswer: Answer | undefined,
): { opened: Data; answer: Answer | undefined; meanwhile: string | undefined } {
  const [first] = useState({ topic, opened: loaded });
  const { opened } = first;
  useLiveUpdates([first.topic], opened.since, { whereOneTypes: true });
  const answer = useKeptAnswer(actionAnswer);
  const changed = loaded.values.version !== opened.values.version && answer?.saved === undefined;
  const meanwhile = `${loaded.changedBy} changed this in the meantime. What you typed is still here. When you save, you will see both versions.`;
  return { opened, answer, meanwhile: changed ? meanwhile : undefined };
}
