// What a form says of its latest answer, and of what others change meanwhile: above it, and in the bar at its end.
import { useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { ErrorSummary } from './error-summary.tsx';
import { failureText, type FormAnswer } from './form-answer.ts';
import { Answered } from './merged-edits.tsx';
import { NoteAbove } from './note.tsx';
import { RowIcon } from './row-icon.tsx';
import { SubmitButton } from './submit-button.tsx';

/**
 * An action's latest answer, for as long as the page is mounted. The router drops `actionData` when a live update
 * revalidates the page. Without this, the errors of a refusal, or the navigation after a save, would be lost.
 */
export function useLatestAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const [latest, setLatest] = useState(answer);
  if (answer !== undefined && answer !== latest) {
    setLatest(answer);
    return answer;
  }
  return latest;
}

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

/** The messages above a form: why it was refused and at which fields, else what others changed `meanwhile`. */
export function FormNotes({
  answer = {},
  meanwhile,
}: {
  answer: Partial<Pick<FormAnswer, 'failure' | 'link' | 'errors' | 'fileErrors'>> | undefined;
  meanwhile?: string | undefined;
}) {
  const { failure, link } = answer;
  return (
    <>
      {failure === undefined ? (
        meanwhile !== undefined && <NoteAbove kind="info">{meanwhile}</NoteAbove>
      ) : (
        <NoteAbove kind="error">
          {failureText(failure)}{' '}
          {link === undefined ? null : (
            <a href={link.href} target={link.inNewTab === true ? '_blank' : undefined}>
              {link.label}
            </a>
          )}
        </NoteAbove>
      )}
      <ErrorSummary answer={answer} />
    </>
  );
}

/**
 * A bar at the end of a long form whose answer was lost. The message above the form may be two screens away. The bar
 * stays in view and gets the focus, so that nobody leaves in the belief that the form was saved. `answer`: by default
 * that of the form around it. `children`: what else can be done than to try again.
 */
export function NotSavedBar(given: { answer?: Pick<FormAnswer, 'lost'> | undefined; children?: ReactNode }) {
  const answered = useContext(Answered).answer;
  const answer = given.answer ?? answered;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Every attempt has a new answer object, so the bar is focused after each.
    if (answer?.lost !== undefined) bar.current?.focus({ preventScroll: true });
  }, [answer]);
  if (answer?.lost === undefined) return null;
  return (
    <div ref={bar} tabIndex={-1} className="not-saved-bar no-print">
      <RowIcon name="cloud-off" className="row-icon size-5" />
      <p className="mr-auto font-semibold">{`Not saved: ${answer.lost}.`}</p>
      <SubmitButton look="secondary" busyText="Sending...">
        Try again
      </SubmitButton>
      {given.children}
    </div>
  );
}
