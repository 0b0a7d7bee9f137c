// /patterns: what patterns found, for admins to look at.
import { href, Link } from 'react-router';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { ListTable } from '#app/ui/list-table.tsx';
import { ListLink } from '#app/ui/list-way.tsx';
import { titled } from '#app/ui/page-title.ts';
import { TabbedList } from '#app/ui/tabbed-list.tsx';
import { FINDING_STATES, type ListedFindings } from '../finding.ts';
import { findingsPage } from '../findings-page.server.ts';
import type { Route } from './+types/findings';

const PATH = '/patterns';

export const meta = titled('Patterns');

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = parseListAddress(url.searchParams);
  const state = FINDING_STATES.find((one) => one.state === url.searchParams.get('state'))?.state ?? 'open';
  const page = await findingsPage(context.get(servicesContext), state, asked);
  return { ...page, asked: { ...asked, page: page.list.page } };
}

export default function Findings({ loaderData }: Route.ComponentProps) {
  const { since, state, list, counts, asked, looked, methodVersion } = loaderData;
  return (
    <main id="main">
      <Subscription topics={['patterns']} since={since} />
      <div className="max-w-190 pb-4">
        <h1 className="text-xl">Patterns</h1>
        <p className="text-ink-2">
          A reason to look, with its numbers. It says nothing about a person, and changes no verdict. Which
          administrator opens one is noted in the log.
        </p>
      </div>
      <TabbedList
        path={PATH}
        tabs={FINDING_STATES.map((tab) => ({ ...tab, count: String(counts[tab.state]) }))}
        shown={state}
        asked={asked}
        list={list}
        label="patterns"
        placeholder="Search by technician..."
        whenEmpty={asked.text === '' ? EMPTY[state] : `Nothing matches “${asked.text}”.`}
        foot={
          <p className="flex flex-wrap justify-between gap-3 border-t border-line px-5 py-3 text-sm text-ink-2">
            <span>
              {looked === null
                ? 'The whole has not been looked at yet. That is done each night.'
                : `The whole was last looked at in the night to ${looked.night}: ${looked.visits.toLocaleString('en-AU')} visits, ${looked.tests.toLocaleString('en-AU')} tests.`}
            </span>
            <Link to={href('/patterns/method')}>{`Method, version ${methodVersion}`}</Link>
          </p>
        }
      >
        <ListTable
          caption="What patterns found"
          columns={[
            ['Pattern'],
            ['Technician', WIDE],
            ['Numbers', WIDE],
            [state === 'decided' ? 'Decided' : 'Found', 'text-right'],
          ]}
        >
          {list.items.map(({ id, name, technician, numbers, found, outcome }) => (
            <tr key={id} className="border-b border-line align-top last:border-b-0 hover:bg-hover">
              <th scope="row" className="py-2 font-normal">
                <ListLink
                  to={href('/patterns/:id', { id })}
                  className="inline-flex min-h-11 items-center font-semibold"
                >
                  {name}
                </ListLink>
                <span className="hidden pb-1 text-sm text-ink-2 max-lg:block">{`${technician} · ${numbers}`}</span>
              </th>
              <td className={`${WIDE} py-4 wrap-anywhere`}>{technician}</td>
              <td className={`${WIDE} py-4`}>{numbers}</td>
              <td className="py-4 text-right whitespace-nowrap">{outcome === '' ? found : outcome}</td>
            </tr>
          ))}
        </ListTable>
      </TabbedList>
    </main>
  );
}

const WIDE = 'max-lg:hidden';
const EMPTY: Record<ListedFindings, string> = {
  open: 'Nothing is open.',
  asked: 'No technician is asked.',
  decided: 'Nothing was decided yet.',
};
