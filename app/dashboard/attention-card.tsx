// The card of what needs attention: vehicles that are overdue or due soon, and what waits for an admin.
import ChevronRight from 'lucide-react/icons/chevron-right';
import { href, Link } from 'react-router';
import { ColumnHeads } from '#app/ui/column-heads.tsx';
import { Card } from '#app/ui/card.tsx';
import { days } from '#app/policy/policy.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import type { DashboardPage } from './dashboard-page.server.ts';

const WIDE = 'max-row:hidden';
const LINE = 'flex min-h-11 items-center';

const COLUMNS = [['Rego'], ['Verdict', WIDE], ['Due', WIDE], ['Company', WIDE], ['Action', 'text-right']] as const;

/** `waiting`: how many applications wait for a decision; undefined for a role that may not decide them. */
export function AttentionCard({ page, waiting }: { page: DashboardPage; waiting: number | undefined }) {
  const { verdicts, attention, policy } = page;
  return (
    <Card
      title="Needs attention"
      id="attention"
      aside={
        <Link
          to="/vehicles?verdict=overdue,due-soon&sort=due&dir=asc"
          className="inline-flex min-h-11 items-center gap-1 font-semibold"
        >
          {`See all ${(verdicts.overdue + verdicts['due-soon']).toLocaleString('en-AU')}`}
          <span className="sr-only">overdue and due soon</span>
        </Link>
      }
    >
      <ul className="flex flex-wrap gap-2 px-4 py-3">
        <Need to="/vehicles?verdict=overdue&sort=due&dir=asc" count={verdicts.overdue} words="overdue" />
        <Need
          to="/vehicles?verdict=due-soon&sort=due&dir=asc"
          count={verdicts['due-soon']}
          words={`due within ${days(policy.dueSoonDays)}`}
        />
        {page.ownDue === null ? null : <Need to={page.ownDue.to} count={page.ownDue.count} words="mine" />}
        {page.visitsWaiting === 0 ? null : (
          <Need
            to="/visits"
            count={page.visitsWaiting}
            words={page.visitsWaiting === 1 ? 'visit waiting' : 'visits waiting'}
          />
        )}
        {page.toConfirm.map((need) => (
          <Need key={need.words} {...need} />
        ))}
        {waiting === undefined ? null : (
          <Need
            to="/applications"
            count={waiting}
            words={waiting === 1 ? 'application waiting' : 'applications waiting'}
          />
        )}
      </ul>
      {page.checkVisits === null ? null : (
        <p className="px-5 pb-3 text-sm text-ink-2">
          {`Check visits of the last 12 months: ${page.checkVisits.done.toLocaleString('en-AU')} of ${page.checkVisits.all.toLocaleString('en-AU')} done.`}
        </p>
      )}
      {attention.length === 0 ? (
        <p className="border-t border-line px-5 py-8 text-center text-ink-2">No vehicle is overdue or due soon.</p>
      ) : (
        <table className="data-table">
          <caption className="sr-only">Overdue and due soon vehicles, the oldest due date first</caption>
          <ColumnHeads look="text-sm" columns={COLUMNS} />
          <tbody>
            {attention.map(({ rego, verdict, due, companyName }) => {
              const to = href('/vehicles/view/:rego', { rego });
              return (
                <tr key={rego} className="border-b border-line align-top last:border-b-0 hover:bg-hover">
                  <th scope="row" className="font-normal">
                    <div className="flex flex-wrap items-center gap-x-2">
                      <Link to={to} className="quiet-link inline-flex min-h-11 items-center">
                        <RegoChip rego={rego} />
                      </Link>
                      <span className="hidden max-row:inline-flex">
                        <VerdictBadge verdict={verdict} />
                      </span>
                    </div>
                    <div className="hidden pb-2 text-sm wrap-anywhere text-ink-2 max-row:block">
                      {`Due ${due}${companyName === '' ? '' : ` · ${companyName}`}`}
                    </div>
                  </th>
                  <td className={WIDE}>
                    <span className={LINE}>
                      <VerdictBadge verdict={verdict} />
                    </span>
                  </td>
                  <td className={WIDE}>
                    <span className={`${LINE} whitespace-nowrap`}>{due}</span>
                  </td>
                  <td className={WIDE}>
                    <span className={`${LINE} wrap-anywhere`}>{companyName === '' ? 'N/A' : companyName}</span>
                  </td>
                  <td className="text-right">
                    <Link to={to} className={`${LINE} min-w-11 justify-end gap-1.5`} aria-label={`View ${rego}`}>
                      View
                      <ChevronRight size={20} aria-hidden="true" />
                    </Link>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Need({ to, count, words }: { to: string; count: number; words: string }) {
  return (
    <li>
      <Link to={to} className="filter-link">
        <span className="text-ink">{count.toLocaleString('en-AU')}</span>
        <span className="font-normal">{words}</span>
      </Link>
    </li>
  );
}
