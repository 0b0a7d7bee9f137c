// Answers of checks and states of visits, in a word with an icon. They have no hue: none looks like a verdict.
import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import type { CheckLook } from './present-evidence.ts';
import type { VisitState } from './visit.ts';

type Look = { icon: RowIconName; look: string };
const LOOKS = {
  passed: { icon: 'check', look: 'answer answer-passed' },
  failed: { icon: 'x', look: 'answer answer-failed' },
  untold: { icon: 'circle-question-mark', look: 'answer answer-untold' },
  noted: { icon: 'info', look: 'answer answer-noted' },
} as const satisfies Record<CheckLook, Look>;

/** The answer of a check. */
export function AnswerMark({ look, words }: { look: CheckLook; words: string }) {
  return <Mark {...LOOKS[look]} words={words} />;
}

const UNTOLD = { icon: 'circle-dashed', look: 'answer answer-untold' } as const;
const STATES = {
  open: UNTOLD,
  counts: LOOKS.passed,
  partial: UNTOLD,
  waits: LOOKS.noted,
  accepted: LOOKS.passed,
  'set-aside': LOOKS.failed,
  'taken-over': LOOKS.noted,
} as const satisfies Record<VisitState, Look>;

/** The state of a visit, in a word. */
export function StateMark({ state, word }: { state: VisitState; word: string }) {
  return <Mark {...STATES[state]} words={word} />;
}

function Mark({ icon, look, words }: Look & { words: string }) {
  return (
    <span className={look}>
      <RowIcon name={icon} className="row-icon" />
      {words}
    </span>
  );
}
