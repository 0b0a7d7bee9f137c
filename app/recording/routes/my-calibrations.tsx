// /my-calibrations: the readings that the signed-in person recorded.
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { SearchedList } from '#app/ui/searched-list.tsx';
import { recordedBy } from '#app/readings/recorded-by.server.ts';
import { RecordedList } from '#app/readings/recorded-list.tsx';
import type { Route } from './+types/my-calibrations';

const PER_PAGE = 10;

export const meta = titled('My calibrations');

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const since = await logSize(services.db);
  const { text, page } = parseListAddress(url.searchParams);
  const { personId } = requireSignedIn(context);
  return { since, text, recorded: await recordedBy(services, personId, { page, perPage: PER_PAGE, text }) };
}

export default function MyCalibrations({ loaderData: { since, text, recorded } }: Route.ComponentProps) {
  const { items, page, pages, total } = recorded;
  return (
    <main id="main">
      <Subscription topics={['vehicles']} since={since} />
      <h1 className="pb-4 text-xl">My calibrations</h1>
      <SearchedList
        path="/my-calibrations"
        asked={{ text, page }}
        pages={pages}
        total={total}
        noun={{ one: 'calibration', many: 'calibrations' }}
        placeholder="Search Calibration..."
        whenEmpty="You have not recorded any calibrations yet"
      >
        <div className="border-t border-line">
          <RecordedList readings={items} empty="You have not recorded any calibrations yet." />
        </div>
      </SearchedList>
    </main>
  );
}
