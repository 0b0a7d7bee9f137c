// /applications: those who wait for a decision.
import { logSize } from '#app/activity-log/queries.server.ts';
import { useLiveUpdates } from '#app/platform/live-client.ts';
import { services } from '#app/platform/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { SearchedList } from '#app/ui/searched-list.tsx';
import { CompanyTable } from '../company-table.tsx';
import { listApplications } from '../queries.server.ts';
import type { Route } from './+types/list';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Applications · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = context.get(services);
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const { items, page, pages, total } = await listApplications(db, asked);
  return {
    since,
    asked: { ...asked, page },
    pages,
    total,
    rows: items.map(({ email, companyName, abn, tradeLicenceNum }) => ({ email, companyName, abn, tradeLicenceNum })),
  };
}

export default function Applications({ loaderData: { since, asked, pages, total, rows } }: Route.ComponentProps) {
  useLiveUpdates(['applications'], since);
  return (
    <main id="main">
      <h1 className="pb-4 text-xl">Applications</h1>
      <SearchedList
        path="/applications"
        asked={asked}
        pages={pages}
        total={total}
        noun={{ one: 'application', many: 'applications' }}
        placeholder="Search Application..."
        whenEmpty="No application is waiting"
      >
        <CompanyTable rows={rows} path="/applications" caption="Applications that wait for a decision" />
      </SearchedList>
    </main>
  );
}
