// /technicians: the list of technicians.
import { CompanyList } from '#app/applications/company-list.tsx';
import { readCompanyPage } from '#app/applications/company-page.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { listTechnicians } from '../queries.server.ts';
import type { Route } from './+types/list';

export const meta = titled('Technicians');

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readCompanyPage(context.get(servicesContext).db, parseListAddress(url.searchParams), listTechnicians);

export default function Technicians({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Subscription topics={['technicians']} since={loaderData.since} />
      <CompanyList
        list={loaderData}
        title="Technicians"
        caption="Technicians"
        path="/technicians"
        noun={{ one: 'technician', many: 'technicians' }}
        placeholder="Search Technician..."
        whenEmpty="No technicians yet"
      />
    </>
  );
}
