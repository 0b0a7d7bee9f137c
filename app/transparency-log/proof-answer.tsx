// The answer of 'Check the proof', and the check itself: loaded when somebody asks.
import CircleCheck from 'lucide-react/icons/circle-check';
import OctagonX from 'lucide-react/icons/octagon-x';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { checkShown, type Shown } from '#app/tlog/check-shown.ts';
import type { Verification } from '#app/tlog/verification.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';

export const checkProof = async (shown: Shown): Promise<ReactNode> => (
  <Answer answer={await checkShown(shown, (address) => fetch(address), { memory: localStorage })} />
);

const ANSWERS = {
  proved: { title: 'Proved', look: 'note-success', Icon: CircleCheck },
  tampered: { title: 'DOES NOT MATCH', look: 'note-error', Icon: OctagonX },
  'could-not-tell': { title: 'Could not check', look: 'note-info', Icon: undefined },
} as const;

function Answer({ answer: { result, sentence, isOld } }: { answer: Verification }) {
  const { title, look, Icon } = ANSWERS[result];
  return (
    <div className={`note ${isOld === true ? 'note-due' : look}`}>
      {Icon === undefined ? (
        <RowIcon name="circle-question-mark" className="row-icon mt-1.5 size-5" />
      ) : (
        <Icon size={20} aria-hidden="true" className="mt-1.5 shrink-0" />
      )}
      <div className="min-w-0 py-1 wrap-anywhere">
        <p className="font-bold">{title}</p>
        <p>{sentence}</p>
        {result === 'tampered' ? (
          <p>
            Do not rely on this record. Save the proof file and this page, and show them to the registry and to anybody
            who asked for the calibration. <Link to="/log">What this means</Link>
          </p>
        ) : null}
      </div>
    </div>
  );
}
