import { href, Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { DashboardPage } from './dashboard-page.server.ts';

/** What a technician recorded last, each a link to its entry. */
export function OwnCalibrationsCard({ own }: { own: DashboardPage['own'] }) {
  return (
    <Card title="Your last calibrations" id="own-calibrations">
      {own.length === 0 ? (
        <p className="px-5 py-8 text-center text-ink-2">You have not recorded a calibration yet.</p>
      ) : (
        <ul>
          {own.map(({ rego, id, reading, value, at }) => (
            <li key={id} className="border-b border-line last:border-b-0">
              <Link
                to={href('/calibrations/:rego/:id', { rego, id: String(id) })}
                className="quiet-link flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-hover"
              >
                <RegoChip rego={rego} />
                <span>{reading}</span>
                <span className="font-semibold">{value}</span>
                <span className="text-sm text-ink-3 sm:ml-auto">{at}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
