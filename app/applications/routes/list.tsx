// /applications: the list of open applications.
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { CompanyList } from '../company-list.tsx';
import { readCompanyPage } from '../company-page.server.ts';
import { listApplications } from '../queries.server.ts';
import type { Route } from './+types/list';

export const meta = titled('Applications');

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readCompanyPage(context.get(servicesContext).db, parseListAddress(url.searchParams), listApplications);

export default function Applications({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Subscription topics={['applications']} since={loaderData.since} />
      <CompanyList
        list={loaderData}
        title="Applications"
        caption="Applications that wait for a decision"
        path="/applications"
        noun={{ one: 'application', many: 'applications' }}
        placeholder="Search Application..."
        whenEmpty="No application is waiting"
      />
    </>
  );
}
