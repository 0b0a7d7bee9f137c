import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import { VERDICTS, type Verdict } from './verdict-table.ts';

/** Each verdict has its own outline, so it survives colour blindness, sunlight and greyscale print. */
export const VERDICT_ICONS = {
  valid: 'circle-check',
  'due-soon': 'clock-exclamation-point',
  overdue: 'octagon-x',
  'not-validated': 'shield-question-mark',
  'never-calibrated': 'circle-dashed',
} as const satisfies Record<Verdict, RowIconName>;

/** 'Valid Calibration' in a list: a tick or cross, and the word of the verdict. */
export function ValidCalibrationBadge({ verdict, matchesLog }: { verdict: Verdict; matchesLog: boolean }) {
  if (!matchesLog)
    return (
      <span className="badge badge-overdue">
        <RowIcon name="octagon-x" className="row-icon size-4.5 stroke-[2.25]" />
        <span className="sr-only">No: </span>
        <span>Does not match the log</span>
      </span>
    );
  const { word, tick } = rowOf(verdict);
  return (
    <span className={`badge badge-${verdict}`}>
      <RowIcon name={tick ? 'check' : 'x'} className="row-icon size-4.5 stroke-[2.25]" />
      <span className="sr-only">{tick ? 'Yes: ' : 'No: '}</span>
      <span>{word}</span>
    </span>
  );
}

/** The verdict with its own icon, for pages that explain verdicts. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  return (
    <span className={`badge badge-${verdict}`}>
      <RowIcon name={VERDICT_ICONS[verdict]} className="row-icon size-4.5" />
      {rowOf(verdict).word}
    </span>
  );
}

function rowOf(verdict: Verdict): { word: string; tick: boolean } {
  return VERDICTS.find((row) => row.verdict === verdict) ?? VERDICTS[0];
}
