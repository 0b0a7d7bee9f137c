import type { ReactNode } from 'react';

const LOOKS = { large: 'large', mono: 'font-mono text-sm' };

/** `large`: the main fact of the page; on a phone it has a line of its own. */
export type Fact = { label: string; value: ReactNode; look?: keyof typeof LOOKS | undefined };

/** Label and value on one line each, or the value under its label on a narrow page; a missing value reads N/A. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ label, value, look }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={look && LOOKS[look]}>{value === '' || value === null ? 'N/A' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
