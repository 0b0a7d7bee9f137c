// /visits: the visits that wait for an admin, and those that were decided.
import { href, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { useMay } from '#app/access/use-may.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { useListLink } from '#app/ui/list-way.tsx';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { titled } from '#app/ui/page-title.ts';
import { TabbedList } from '#app/ui/tabbed-list.tsx';
import { useMarkedRow } from '#app/ui/use-marked-row.ts';
import { COUNTED_MAX, queuePage } from '../queue-page.server.ts';
import { QueueTable } from '../queue-table.tsx';
import { listedState, VISIT_LISTS, type ListedState } from '../visit-filter.ts';
import type { Route } from './+types/queue';

const PATH = '/visits';

export const meta = titled('Visits waiting');

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = parseListAddress(url.searchParams);
  const state = listedState(url.searchParams);
  const page = await queuePage(context.get(servicesContext), requireSignedIn(context), { state, ...asked });
  return { ...page, asked: { ...asked, page: page.list.page }, countedMax: COUNTED_MAX };
}

export default function Visits({ loaderData }: Route.ComponentProps) {
  const { since, state, list, counts, medianDays, alike, policyVersion, asked, countedMax } = loaderData;
  const may = useMay();
  const link = useListLink();
  const marked = useMarkedRow(list.items.map(({ id }) => link(`${PATH}/${id}`)));
  const counted = (of: ListedState) => (counts[of] > countedMax ? `${countedMax}+` : String(counts[of]));
  return (
    <main id="main">
      <Subscription topics={['vehicles', 'visits', 'policy']} since={since} />
      <div className="flex flex-wrap items-end justify-between gap-3 pb-4">
        <div>
          <h1 className="text-xl">Visits waiting</h1>
          <p className="text-sm text-ink-2">Oldest first. The public page of each truck says that its visit waits.</p>
        </div>
        <span className="flex gap-4">
          <KeyHint keys={['J', 'K']} words="move" />
          <KeyHint keys={['Enter']} words="open" />
        </span>
      </div>
      {alike.map(({ checks, words, n }) => (
        <p key={words} className="card mb-4 flex flex-wrap items-center justify-between gap-x-4 px-5 py-2">
          {`${n} wait for the same: ${words}.`}
          <Link
            to={`${href('/visits/alike')}?checks=${checks.join('.')}`}
            className="inline-flex min-h-11 items-center font-semibold"
          >
            {may('decide visits') ? 'Open and accept them as a group' : 'Open them as a group'}
          </Link>
        </p>
      ))}
      <TabbedList
        path={PATH}
        tabs={VISIT_LISTS.map((tab) => ({ ...tab, count: counted(tab.state) }))}
        shown={state}
        asked={asked}
        list={list}
        label="visits"
        placeholder="Search visits..."
        whenEmpty={asked.text === '' ? EMPTY[state] : `No visit matches “${asked.text}”.`}
        foot={
          <p className="flex flex-wrap justify-between gap-3 border-t border-line px-5 py-3 text-sm text-ink-2">
            <span>
              {`${counted('waits')} ${counts.waits === 1 ? 'visit waits' : 'visits wait'}.`}
              {medianDays === null
                ? ''
                : ` Half of those decided in the last 30 days waited at most ${medianDays} ${medianDays === 1 ? 'day' : 'days'}.`}
            </span>
            <Link to="/settings">{`Rules version ${policyVersion}`}</Link>
          </p>
        }
      >
        <QueueTable rows={list.items} state={state} marked={marked} />
      </TabbedList>
    </main>
  );
}

const EMPTY: Record<ListedState, string> = {
  waits: 'No visit waits.',
  accepted: 'No visit was accepted yet.',
  'set-aside': 'No visit was set aside yet.',
  partial: 'No visit is partial.',
};
