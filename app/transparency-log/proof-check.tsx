// 'In the public log', and 'Check the proof' in the browser of whoever doubts it.
import CircleCheck from 'lucide-react/icons/circle-check';
import OctagonX from 'lucide-react/icons/octagon-x';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';
import type { Shown } from '#app/tlog/check-shown.ts';
import type { Verification } from '#app/tlog/verification.ts';

/** An event's entry in the log. `daysLater`: after the date that it states; null: it states none. */
export type LogBadge = {
  index: number;
  at: string;
  daysLater: number | null;
  /** When a person's data in it were erased. */
  erasedOn: string | null;
  shown: Shown | null;
};

const ANSWERS = {
  proved: { title: 'Proved', look: 'note-success', Icon: CircleCheck },
  tampered: { title: 'DOES NOT MATCH', look: 'note-error', Icon: OctagonX },
  'could-not-tell': { title: 'Could not check', look: 'note-info', Icon: undefined },
} as const;

/** The strip in the card of what it is about. */
export function ProofCheck({ badge: { index, at, daysLater, erasedOn, shown } }: { badge: LogBadge }) {
  return (
    <div className="no-print grid gap-2 px-5 py-2.5 max-row:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="inline-flex items-center gap-1.5 font-semibold whitespace-nowrap">
            <RowIcon name="shield-check" className="row-icon size-4.5" />
            In the public log
          </span>
          <span className="text-sm text-ink-2">
            <Link
              to={href('/log/entries/:index', { index: String(index) })}
              className="link-in-text"
            >{`Entry ${index.toLocaleString('en-AU')}`}</Link>
            {`, logged ${at}`}
          </span>
        </p>
        {shown === null ? null : <ProofActions shown={shown} />}
      </div>
      {daysLater === null || daysLater <= 0 ? null : (
        <p className="text-sm font-semibold text-due-text">
          {`Back-dated: logged ${daysLater} ${daysLater === 1 ? 'day' : 'days'} after the stated date.`}
        </p>
      )}
      {erasedOn === null ? null : (
        <p className="text-sm text-ink-2">
          {`A name was erased on ${erasedOn}. The record existed, and was not altered.`}
        </p>
      )}
    </div>
  );
}

/** To check what is shown here, or to take the proof elsewhere, which is all there is without scripts. */
export function ProofActions({ shown }: { shown: Shown }) {
  const [answer, setAnswer] = useState<Verification | 'checking'>();
  const isHydrated = useIsHydrated();
  const check = async () => {
    setAnswer('checking');
    try {
      const { checkShown } = await import('#app/tlog/check-shown.ts');
      setAnswer(await checkShown(shown, (address) => fetch(address), localStorage));
    } catch {
      setAnswer({
        result: 'could-not-tell',
        sentence: 'The check could not be loaded. Try again when you are online.',
      });
    }
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          className={`scripted-only button-look button-secondary ${isHydrated ? '' : 'invisible'}`}
          aria-disabled={answer === 'checking' || undefined}
          onClick={() => {
            if (answer !== 'checking') void check();
          }}
        >
          {answer === 'checking' ? 'Checking...' : 'Check the proof'}
        </button>
        <a href={shown.proof} className="inline-flex min-h-11 items-center" download>
          Proof file
        </a>
        {shown.type === null ? (
          <a href={`${shown.proof}.svg`} className="inline-flex min-h-11 items-center">
            As a code
          </a>
        ) : null}
        <span className="unscripted-only text-sm text-ink-2">
          The proof file can be checked without this site:{' '}
          <a href="/log#how-to-check" className="link-in-text">
            how to check
          </a>
        </span>
      </p>
      <div aria-live="polite" className="basis-full not-empty:pt-2">
        {answer === undefined || answer === 'checking' ? null : <Answer answer={answer} />}
      </div>
    </>
  );
}

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
            Do not rely on this record. Save the proof file and this page, and show them to the registry and to whoever
            asked for the calibration. <Link to="/log">What this means</Link>
          </p>
        ) : null}
      </div>
    </div>
  );
}
