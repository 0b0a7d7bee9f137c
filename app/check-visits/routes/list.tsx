// /check-visits: the trucks that are to be weighed again by somebody else.
import { href } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { listAddress, parseListAddress } from '#app/ui/list-address.ts';
import { ListTable } from '#app/ui/list-table.tsx';
import { ListLink } from '#app/ui/list-way.tsx';
import { titled } from '#app/ui/page-title.ts';
import { Pager } from '#app/ui/pager.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { checkVisitsPage, type WantedTruck } from '../list-page.server.ts';
import type { Route } from './+types/list';

const PATH = '/check-visits';
const WIDE = 'max-md:hidden';
const COLUMNS = [
  ['Rego'],
  ['Company', WIDE],
  ['Truck', WIDE],
  ['Last weighed at', WIDE],
  ['Visit', WIDE],
  ['Wanted until', 'text-right'],
] as const;

export const meta = titled('Check visits');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { page } = parseListAddress(url.searchParams);
  return checkVisitsPage(context.get(servicesContext), requireSignedIn(context), page);
}

export default function CheckVisits({ loaderData: { since, neutral, list } }: Route.ComponentProps) {
  return (
    <main id="main" className="grid gap-4">
      <Subscription topics={['check-visits', 'vehicles', 'references']} since={since} />
      <div className="max-w-160">
        <h1 className="text-xl">Check visits</h1>
        <p className="pt-1 text-ink-2">
          {`Each of these trucks is to be weighed again by somebody else than the technician of its visit. Calibrate all axles, as always: that closes it. ${neutral} Trucks of your own visits are not among them.`}
        </p>
      </div>
      <div className="card">
        {list.total === 0 ? (
          <p className="px-5 py-12 text-center text-lg font-bold">No truck is wanted for a check visit.</p>
        ) : (
          <Wanted trucks={list.items} />
        )}
        <Pager
          page={list.page}
          pages={list.pages}
          label="Pages of check visits"
          hrefOf={(page) => listAddress(PATH, { text: '', page })}
        />
      </div>
    </main>
  );
}

const known = (text: string) => (text === '' ? 'N/A' : text);

function Wanted({ trucks }: { trucks: readonly WantedTruck[] }) {
  return (
    <ListTable caption="Trucks to be weighed again, the first to end first" columns={COLUMNS}>
      {trucks.map(({ rego, company, truck, weighbridge, visitedOn, untilOn }) => (
        <tr key={rego} className="border-b border-line align-top last:border-b-0 hover:bg-hover">
          <th scope="row" className="py-2 font-normal">
            <ListLink
              to={href('/vehicles/view/:rego', { rego })}
              className="quiet-link inline-flex min-h-11 items-center"
            >
              <RegoChip rego={rego} />
            </ListLink>
            <div className="hidden gap-0.5 pb-1 text-sm max-md:grid">
              <span>{[company, truck].filter((part) => part !== '').join(' · ') || 'No company is known'}</span>
              {weighbridge === '' ? null : <span className="text-ink-2">{`Last weighed at ${weighbridge}`}</span>}
              <span className="text-ink-2">{`Visit of ${visitedOn}`}</span>
            </div>
          </th>
          <td className={`${WIDE} py-4 wrap-anywhere`}>{known(company)}</td>
          <td className={`${WIDE} py-4 wrap-anywhere`}>{known(truck)}</td>
          <td className={`${WIDE} py-4 wrap-anywhere`}>{known(weighbridge)}</td>
          <td className={`${WIDE} py-4 whitespace-nowrap`}>{visitedOn}</td>
          <td className="py-4 text-right whitespace-nowrap">{untilOn}</td>
        </tr>
      ))}
    </ListTable>
  );
}
