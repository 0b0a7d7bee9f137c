import type { ReactNode } from 'react';

/** `large`: the main fact of the page; on a phone it has a line of its own. */
export type Fact = { label: string; value: ReactNode; mono?: boolean; large?: boolean };

/** Label and value on one line each, or the value under its label on a narrow page; a missing value reads N/A. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ label, value, mono, large }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={large === true ? 'large' : mono === true ? 'font-mono text-sm' : undefined}>
            {value === '' || value === null ? 'N/A' : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
