// /reports: what somebody says is wrong, the next due first.
import { href, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { ListLink } from '#app/ui/list-way.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { titled } from '#app/ui/page-title.ts';
import { TabbedList } from '#app/ui/tabbed-list.tsx';
import { reportsPage, reportTab } from '../lists.server.ts';
import type { Route } from './+types/list';

export const meta = titled('Reports');

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = parseListAddress(url.searchParams);
  const state = reportTab(url.searchParams);
  const { personId } = requireSignedIn(context);
  const page = await reportsPage(context.get(servicesContext), personId, { state, ...asked });
  return { ...page, state, asked: { ...asked, page: page.list.page } };
}

export default function Reports({ loaderData: { since, state, list, tabs, asked } }: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={['reports']} since={since} />
      <h1 className="text-xl">Reports</h1>
      <p className="pb-4 text-ink-2">
        The next due first. Who had a part in the record cannot decide it. In public only{' '}
        <Link to={href('/reports/counts')}>kinds and counts</Link>.
      </p>
      <TabbedList
        path={href('/reports')}
        tabs={tabs}
        shown={state}
        asked={asked}
        list={list}
        label="reports"
        placeholder="Search reports..."
        whenEmpty={asked.text === '' ? 'No reports here.' : `Nothing matches “${asked.text}”.`}
      >
        <ListTable caption="Reports" columns={[['Report'], ['About'], ['State', WIDE], ['Decide', 'text-right']]}>
          {list.items.map(({ id, number, name, record, kind, technician, due, on, isSoon, notYours, ...row }) => (
            <tr key={id} className="border-b border-line align-top last:border-b-0 hover:bg-hover">
              <th scope="row" className="py-2 font-normal">
                <ListLink to={href('/reports/:id', { id })} className="inline-flex min-h-11 items-center font-semibold">
                  {number}
                </ListLink>
                <span className="block">{kind}</span>
              </th>
              <td className="py-4 wrap-anywhere">
                <strong>{name}</strong> <span className="block text-ink-2">{record}</span>
              </td>
              <td className={`${WIDE} py-4 wrap-anywhere`}>
                {row.state} <span className="block text-ink-2">{technician}</span>
              </td>
              <td className="py-4 text-right">
                <span className={isSoon ? 'rounded-full bg-due-soft px-2 font-semibold text-due-text' : ''}>{due}</span>
                <span className="block text-sm text-ink-2">{on}</span>
                {notYours === '' ? null : <span className="block text-sm">{`Not yours: ${notYours}`}</span>}
              </td>
            </tr>
          ))}
        </ListTable>
      </TabbedList>
    </main>
  );
}

const WIDE = 'max-lg:hidden';
