import Check from 'lucide-react/icons/check';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import ClockAlert from 'lucide-react/icons/clock-exclamation-point';
import OctagonX from 'lucide-react/icons/octagon-x';
import ShieldQuestionMark from 'lucide-react/icons/shield-question-mark';
import X from 'lucide-react/icons/x';
import type { LucideIcon } from 'lucide-react';
import { VERDICTS, type Verdict } from './verdict-table.ts';

/** Each verdict has its own outline, so it survives colour blindness, sunlight and greyscale print. */
export const VERDICT_ICONS = {
  valid: CircleCheck,
  'due-soon': ClockAlert,
  overdue: OctagonX,
  'not-validated': ShieldQuestionMark,
  'never-calibrated': CircleDashed,
} as const satisfies Record<Verdict, LucideIcon>;

/** 'Valid Calibration' in a list: a tick or cross, and the word of the verdict. */
export function ValidCalibrationBadge({ verdict, matchesLog }: { verdict: Verdict; matchesLog: boolean }) {
  if (!matchesLog)
    return (
      <span className="badge badge-overdue">
        <OctagonX size={18} strokeWidth={2.25} aria-hidden="true" />
        <span className="sr-only">No: </span>
        <span>Does not match the log</span>
      </span>
    );
  const { word, tick } = rowOf(verdict);
  const Icon = tick ? Check : X;
  return (
    <span className={`badge badge-${verdict}`}>
      <Icon size={18} strokeWidth={2.25} aria-hidden="true" />
      <span className="sr-only">{tick ? 'Yes: ' : 'No: '}</span>
      <span>{word}</span>
    </span>
  );
}

/** The verdict with its own icon, for pages that explain verdicts. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const Icon = VERDICT_ICONS[verdict];
  return (
    <span className={`badge badge-${verdict}`}>
      <Icon size={18} aria-hidden="true" />
      {rowOf(verdict).word}
    </span>
  );
}

function rowOf(verdict: Verdict): { word: string; tick: boolean } {
  return VERDICTS.find((row) => row.verdict === verdict) ?? VERDICTS[0];
}
