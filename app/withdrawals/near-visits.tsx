import { href, Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { WithdrawalPage } from './withdrawal-page.server.ts';

/** Visits dated close to a withdrawal and recorded within it: each is decided by itself. */
export function NearVisits({ visits }: { visits: WithdrawalPage['near'] }) {
  if (visits.length === 0) return null;
  return (
    <Card title="Dated outside, recorded inside" id="near">
      <p className="px-5 py-3 text-sm text-ink-2">
        These visits are dated up to 7 days outside and were recorded within this time. The withdrawal does not reach
        them: look at each, and decide.
      </p>
      <ul className="border-t border-line">
        {visits.map(({ id, rego, visited, recorded, state }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 border-b border-line px-5 py-2 last:border-b-0">
            <Link to={href('/visits/:id', { id })} className="quiet-link inline-flex min-h-11 items-center">
              <RegoChip rego={rego} />
              <span className="sr-only">{`, visit of ${visited}`}</span>
            </Link>
            <span>{visited}</span>
            <span className="text-sm text-ink-2">{`Recorded on ${recorded}`}</span>
            <span className="text-sm font-semibold">{state}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
