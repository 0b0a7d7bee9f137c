// /technicians: the list of technicians.
import { CompanyList } from '#app/applications/company-list.tsx';
import { readCompanyPage } from '#app/applications/company-page.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { listTechnicians } from '../queries.server.ts';
import type { Route } from './+types/list';

export const meta = titled('Technicians');

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readCompanyPage(context.get(servicesContext).db, url, listTechnicians);

export default function Technicians({ loaderData }: Route.ComponentProps) {
  return <CompanyList page={loaderData} noun="Technician" caption="Technicians" whenEmpty="No technicians yet" />;
}
