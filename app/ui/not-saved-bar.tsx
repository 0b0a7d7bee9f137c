// A bar at the end of a long form whose answer was lost. The message above the form may be two screens away. The bar
// stays in view and gets the focus, so that nobody leaves in the belief that the form was saved.
import { RowIcon } from './row-icon.tsx';
import { useContext, useEffect, useRef, type ReactNode } from 'react';
import type { FormAnswer } from './form-answer.ts';
import { Answered } from './merged-edits.tsx';
import { SubmitButton } from './submit-button.tsx';

/** `answer`: by default that of the form around it. `children`: what else can be done than to try again. */
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
