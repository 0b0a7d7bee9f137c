import { servicesContext } from '#app/platform/services/services.server.ts';
import { exportVehicles } from '../export-vehicles.server.ts';
import type { Route } from './+types/export';

export function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  return exportVehicles(services, url, services.config.publicUrl?.origin ?? url.origin);
}
