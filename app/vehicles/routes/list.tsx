import ArchiveRestore from 'lucide-react/icons/archive-arrow-up';
import FileInput from 'lucide-react/icons/file-input';
import Plus from 'lucide-react/icons/plus';
import { Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { IfMay } from '#app/access/use-may.tsx';
import { labelOrigin } from '#app/labels/label-origin.ts';
import { LabelSheet, NoLabels } from '#app/labels/label-sheet.tsx';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { titled } from '#app/ui/page-title.ts';
import { listKept } from '../kept-lists.server.ts';
import { ownList } from '../own-list.server.ts';
import { vehicleListPage } from '../vehicle-list-page.server.ts';
import { VehicleList } from '../vehicle-list.tsx';
import type { Route } from './+types/list';

export const meta = titled('Vehicles');

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { personId } = requireSignedIn(context);
  return {
    list: await vehicleListPage(services, ownList(url, context)),
    kept: await listKept(services.db, personId),
    hasLabels: labelOrigin(services.config) !== undefined,
  };
}

export default function Vehicles({ loaderData: { list, kept, hasLabels } }: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={['vehicles']} since={list.since} />
      <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
        <h1 className="text-xl">Vehicles</h1>
        <div className="flex flex-wrap gap-3">
          <IfMay to="read removed vehicles">
            <ButtonLink to="/vehicles/removed" icon={ArchiveRestore}>
              Deleted
            </ButtonLink>
          </IfMay>
          <IfMay to="import vehicles">
            <Link to="/vehicles/import" className="button-look button-secondary max-row:hidden">
              <FileInput size={18} aria-hidden="true" />
              Import
            </Link>
          </IfMay>
          <IfMay to="change vehicles">
            <ButtonLink to="/vehicles/new" look="primary" icon={Plus}>
              Add New
            </ButtonLink>
          </IfMay>
        </div>
      </div>
      <VehicleList list={list} kept={kept} labels={hasLabels ? <LabelSheet total={list.total} /> : <NoLabels />} />
    </main>
  );
}
