import type { ReactNode } from 'react';

export type Fact = { label: string; value: ReactNode; mono?: boolean };

/** Label and value pairs, a line each; a missing value reads N/A. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="px-5 py-2 print:columns-2 print:gap-8">
      {facts.map(({ label, value, mono }) => (
        <div
          key={label}
          className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-baseline gap-3 border-b border-line py-2.5 last:border-b-0 print:break-inside-avoid print:py-1"
        >
          <dt className="text-ink-2">{label}</dt>
          <dd className={`font-semibold break-words ${mono === true ? 'font-mono text-sm' : ''}`}>
            {value === '' || value === null ? 'N/A' : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
