import type { ReactNode } from 'react';
import type { LogPage } from './log-page.server.ts';

/** The state that was signed last, and the key to check it with. */
export function LogHead({ signed, verifierKey }: { signed: LogPage['signed']; verifierKey: string }) {
  return (
    <dl className="card mt-5 px-5 py-2">
      {signed === null ? (
        <Fact label="Entries signed">None yet. The first signature follows within seconds of the first entry.</Fact>
      ) : (
        <>
          <Fact label="Entries signed">
            <span className="text-2xl font-bold">{signed.size.toLocaleString('en-AU')}</span>
          </Fact>
          <Fact label="Signed">{signed.at}</Fact>
          <Fact label="Root hash">
            <Code>{signed.root}</Code>
            <span className="block pt-1.5 text-sm font-normal text-ink-2">
              in hex: <Code>{signed.rootHex}</Code>
            </span>
          </Fact>
        </>
      )}
      <Fact label="Verifier key">
        <Code>{verifierKey}</Code>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 border-b border-line py-2.5 last:border-b-0 sm:grid-cols-[8.5rem_1fr] sm:items-baseline">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 font-semibold">{children}</dd>
    </div>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-sm font-normal break-all">{children}</code>;
}

/** Why nothing is signed any more, for everyone to see. */
export function Refusal({ refusal }: { refusal: LogPage['refusal'] }) {
  if (refusal === null) return null;
  return (
    <div role="alert" className="note note-error mt-5">
      <div className="grid gap-1 py-1">
        <strong>{`The registry has refused to sign this log since ${refusal.since}.`}</strong>
        <span>{refusal.sentence}</span>
        <span>
          It never signs what contradicts an earlier signature. What was published before stays below as it was.
        </span>
      </div>
    </div>
  );
}

/** The latest entries, without what they are about. */
export function LogEntries({ entries }: { entries: LogPage['entries'] }) {
  if (entries.length === 0) return null;
  return (
    <>
      <h2>Latest entries</h2>
      <p className="text-sm text-ink-2">What happened and when, not to whom: that is only in the fingerprints.</p>
      <ol reversed className="card mt-3 list-none">
        {entries.map(({ index, words, at }) => (
          <li
            key={index}
            className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-5 py-2.5 last:border-b-0"
          >
            <span className="min-w-10 shrink-0 font-mono text-sm text-ink-2">{index}</span>
            <span className="min-w-50 flex-1 font-semibold">{words}</span>
            <span className="text-sm text-ink-2">{at}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
