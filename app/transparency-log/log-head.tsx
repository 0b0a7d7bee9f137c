import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { Pager } from '#app/ui/pager.tsx';
import type { LogPage } from './log-page.server.ts';

/** The state that was signed last, and the key to check it with. */
export function LogHead({ log: { signed, witnessed, key: verifierKey } }: { log: LogPage }) {
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
      {witnessed === null ? null : (
        <Fact label="Witnessed">
          <span className={witnessed.isOld ? 'text-due-text' : ''}>{witnessed.words}</span>
        </Fact>
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
          The registry never signs anything that contradicts what it signed before. Entries published earlier are still
          shown below, unchanged.
        </span>
      </div>
    </div>
  );
}

/** One page of the entries, without what they are about. */
export function LogEntries({ entries }: { entries: LogPage['entries'] }) {
  if (entries.items.length === 0) return null;
  return (
    <>
      <h2 id="entries">Entries, newest first</h2>
      <p className="text-sm text-ink-2">
        What happened and when. Which truck and which person it was about is not readable here.
      </p>
      <div className="card mt-3">
        <ol reversed className="list-none">
          {entries.items.map(({ index, words, at }) => (
            <li
              key={index}
              className="flex flex-wrap items-center gap-x-3 border-b border-line px-5 py-1 last:border-b-0"
            >
              <Link
                to={href('/log/entries/:index', { index: String(index) })}
                className="inline-flex min-h-11 min-w-44 shrink-0 flex-1 items-center gap-x-3 font-semibold"
              >
                <span className="min-w-12 shrink-0 font-mono text-sm font-normal">{index.toLocaleString('en-AU')}</span>
                {words}
              </Link>
              <span className="text-sm text-ink-2">{at}</span>
            </li>
          ))}
        </ol>
        <Pager
          page={entries.page}
          pages={entries.pages}
          label="Pages of entries"
          hrefOf={(page) => `/log?page=${page}#entries`}
        />
      </div>
    </>
  );
}
