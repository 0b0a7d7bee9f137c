// /technicians: who records calibrations.
import { logSize } from '#app/activity-log/queries.server.ts';
import { useLiveUpdates } from '#app/platform/live-client.ts';
import { services } from '#app/platform/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { SearchedList } from '#app/ui/searched-list.tsx';
import { CompanyTable } from '#app/applications/company-table.tsx';
import { listTechnicians } from '../queries.server.ts';
import type { Route } from './+types/list';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Technicians · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = context.get(services);
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const { items, page, pages, total } = await listTechnicians(db, asked);
  return {
    since,
    asked: { ...asked, page },
    pages,
    total,
    rows: items.map(({ email, companyName, abn, tradeLicenceNum }) => ({ email, companyName, abn, tradeLicenceNum })),
  };
}

export default function Technicians({ loaderData: { since, asked, pages, total, rows } }: Route.ComponentProps) {
  useLiveUpdates(['technicians'], since);
  return (
    <main id="main">
      <h1 className="pb-4 text-xl">Technicians</h1>
      <SearchedList
        path="/technicians"
        asked={asked}
        pages={pages}
        total={total}
        noun={{ one: 'technician', many: 'technicians' }}
        placeholder="Search Technician..."
        whenEmpty="No technician has been admitted yet"
      >
        <CompanyTable rows={rows} path="/technicians" caption="Technicians" />
      </SearchedList>
    </main>
  );
}
