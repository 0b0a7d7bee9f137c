import { servicesContext } from '#app/platform/services/services.server.ts';
import { exportActivities } from '../export-activities.server.ts';
import type { Route } from './+types/export';

export function loader({ context, url }: Route.LoaderArgs) {
  return exportActivities(context.get(servicesContext), url);
}
