// /applications: the list of open applications.
import { servicesContext } from '#app/platform/services/services.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { CompanyList } from '../company-list.tsx';
import { readCompanyPage } from '../company-page.server.ts';
import { listApplications } from '../queries.server.ts';
import type { Route } from './+types/list';

export const meta = titled('Applications');

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readCompanyPage(context.get(servicesContext).db, url, listApplications);

export default function Applications({ loaderData }: Route.ComponentProps) {
  return (
    <CompanyList
      page={loaderData}
      noun="Application"
      caption="Applications that wait for a decision"
      whenEmpty="No application is waiting"
    />
  );
}
