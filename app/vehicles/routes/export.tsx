import { services } from '#app/platform/services/services.server.ts';
import { exportVehicles } from '../export-vehicles.server.ts';
import type { Route } from './+types/export';

export function loader({ context, url }: Route.LoaderArgs) {
  const given = context.get(services);
  return exportVehicles(given, url, given.config.publicUrl?.origin ?? url.origin);
}
