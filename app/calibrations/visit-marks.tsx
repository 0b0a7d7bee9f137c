// Answers of checks and states of visits, in a word with an icon. They have no hue: none looks like a verdict.
import Check from 'lucide-react/icons/check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import type { LucideIcon } from 'lucide-react';
import type { CheckLook } from './present-evidence.ts';
import type { VisitState } from './visit.ts';

const LOOKS = {
  passed: { icon: Check, look: 'answer-passed' },
  failed: { icon: X, look: 'answer-failed' },
  untold: { icon: CircleQuestionMark, look: 'answer-untold' },
  noted: { icon: Info, look: 'answer-noted' },
} as const satisfies Record<CheckLook, { icon: LucideIcon; look: string }>;

/** The answer of a check. */
export function AnswerMark({ look, words }: { look: CheckLook; words: string }) {
  const { icon: Icon, look: className } = LOOKS[look];
  return (
    <span className={`answer ${className}`}>
      <Icon size={16} aria-hidden="true" />
      {words}
    </span>
  );
}

const STATES = {
  open: { icon: CircleDashed, look: 'answer-untold' },
  counts: { icon: Check, look: 'answer-passed' },
  partial: { icon: CircleDashed, look: 'answer-untold' },
  waits: { icon: Info, look: 'answer-noted' },
  accepted: { icon: Check, look: 'answer-passed' },
  'set-aside': { icon: X, look: 'answer-failed' },
  'taken-over': { icon: Info, look: 'answer-noted' },
} as const satisfies Record<VisitState, { icon: LucideIcon; look: string }>;

/** The state of a visit, in a word. */
export function StateMark({ state, word }: { state: VisitState; word: string }) {
  const { icon: Icon, look } = STATES[state];
  return (
    <span className={`answer ${look}`}>
      <Icon size={16} aria-hidden="true" />
      {word}
    </span>
  );
}
