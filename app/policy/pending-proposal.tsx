import type { PolicyChange } from './policy-fields.ts';

/** `entry`: its index in the public log. */
export type ShownProposal = {
  proposed: string;
  when: string;
  changes: readonly PolicyChange[];
  entry: number | null;
};

/** What a proposed change of the policy would change, and from when. */
export function PendingProposal({ proposed, when, changes, entry }: ShownProposal) {
  return (
    <>
      <p className="text-sm text-ink-2">{`Proposed ${proposed}`}</p>
      <dl className="grid gap-x-4 pt-2 sm:grid-cols-[minmax(11rem,auto)_1fr]">
        {changes.map(({ field, label, from, to }) => (
          <div key={field} className="contents">
            <dt className="pt-1 text-ink-2">{label}</dt>
            <dd className="font-semibold sm:pt-1">{`${to} instead of ${from}`}</dd>
          </div>
        ))}
      </dl>
      <p className="pt-2">{when}</p>
      {entry === null ? null : (
        <p className="text-sm text-ink-2">
          <a href={`/log/entries/${entry}`} className="link-in-text">
            {`Entry ${entry.toLocaleString('en-AU')} in the public log`}
          </a>
        </p>
      )}
    </>
  );
}
