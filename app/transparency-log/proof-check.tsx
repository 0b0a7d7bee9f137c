// 'In the public log', and 'Check the proof' in the browser of the one who doubts it.
import { RowIcon } from '#app/ui/row-icon.tsx';
import { type ReactNode, useState } from 'react';
import { href, Link } from 'react-router';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';
import type { Shown } from '#app/tlog/check-shown.ts';

/** An event's entry in the log. `daysLater`: after the date that it states; null: it states none. */
export type LogBadge = {
  index: number;
  at: string;
  daysLater: number | null;
  /** When a person's data in it were erased. */
  erasedOn: string | null;
  shown: Shown | null;
};

/** The strip in the card of what it is about. */
export function ProofCheck({ badge: { index, at, daysLater, erasedOn, shown } }: { badge: LogBadge }) {
  return (
    <div className="grid gap-2 px-5 py-2.5 max-row:px-4 print:py-1">
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
  const [answer, setAnswer] = useState<ReactNode>();
  const isHydrated = useIsHydrated();
  const check = async () => {
    setAnswer('checking');
    try {
      const { checkProof } = await import('./proof-answer.tsx');
      setAnswer(await checkProof(shown));
    } catch {
      setAnswer(
        <p className="note note-info">
          Could not check: the program for it did not load. Try again when you are online.
        </p>,
      );
    }
  };
  return (
    <>
      <p className="no-print flex flex-wrap items-center gap-x-3 gap-y-1">
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
        {answer === 'checking' ? null : answer}
      </div>
    </>
  );
}
