import type { ReactNode } from 'react';

/** `large`: the main fact of the page; on a phone it has a line of its own. */
export type Fact = { label: string; value: ReactNode; mono?: boolean; large?: boolean };

/** Label and value on one line each, or the value under its label on a narrow page; a missing value reads N/A. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="px-5 py-2 print:columns-2 print:gap-8">
      {facts.map(({ label, value, mono, large }) => (
        <div
          key={label}
          className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-2.5 last:border-b-0 print:break-inside-avoid print:py-1"
        >
          <dt className="w-34 shrink-0 text-ink-2">{label}</dt>
          <dd
            className={`min-w-37 flex-1 wrap-anywhere ${large === true ? 'text-2xl font-bold max-row:basis-full' : 'font-semibold'} ${mono === true ? 'font-mono text-sm' : ''}`}
          >
            {value === '' || value === null ? 'N/A' : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
