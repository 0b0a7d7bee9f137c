import { href, Link } from 'react-router';
import { RegoChip } from './plate.tsx';
import type { SerialConflict } from './serial-conflicts.server.ts';

/** The serial numbers that several vehicles have, with these. */
export function SerialConflictList({ conflicts }: { conflicts: readonly SerialConflict[] }) {
  return (
    <ul className="card divide-y divide-line">
      {conflicts.map(({ serial, what, regos }) => (
        <li key={`${what} ${serial}`} className="flex min-h-11 flex-wrap items-center gap-3 px-5 py-2">
          <span className="font-mono wrap-anywhere">{serial}</span>
          <span className="text-sm text-ink-2">{what === 'unit' ? 'Scale serial number' : 'Sensor'}</span>
          {regos.map((rego) => (
            <Link key={rego} to={href('/vehicles/view/:rego', { rego })} className="min-h-11 content-center">
              <RegoChip rego={rego} />
            </Link>
          ))}
        </li>
      ))}
    </ul>
  );
}
