import { href, Link } from 'react-router';
import { RegoChip } from '#app/vehicles/plate.tsx';

export type RecordedReading = {
  rego: string;
  id: number;
  reading: string;
  value: string;
  at: string;
  superseded: boolean;
};

/** Readings of several vehicles, each a link to its entry. */
export function RecordedList({ readings, empty }: { readings: readonly RecordedReading[]; empty: string }) {
  if (readings.length === 0) return <p className="px-5 py-8 text-center text-ink-2">{empty}</p>;
  return (
    <ul>
      {readings.map(({ rego, id, reading, value, at, superseded }) => (
        <li key={`${rego}/${id}`} className="border-b border-line last:border-b-0">
          <Link
            to={href('/calibrations/:rego/:id', { rego, id: String(id) })}
            className="quiet-link flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-hover"
          >
            <RegoChip rego={rego} />
            <span>{reading}</span>
            <span className="font-semibold">{superseded ? <s>{value}</s> : value}</span>
            {superseded ? <span className="text-sm text-ink-2">corrected</span> : null}
            <span className="text-sm text-ink-3 sm:ml-auto">{at}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
