import { servicesContext } from '#app/platform/services/services.server.ts';
import { exportVehicles } from '../export-vehicles.server.ts';
import { ownList } from '../own-list.server.ts';
import type { Route } from './+types/export';

export function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  return exportVehicles(services, ownList(url, context), services.config.publicUrl?.origin ?? url.origin);
}
