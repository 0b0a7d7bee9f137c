import { servicesContext } from '#app/platform/services/services.server.ts';
import { receiptFile } from '../receipt-file.server.ts';
import type { Route } from './+types/file';

export function loader({ context, params, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const origin = services.config.publicUrl?.origin ?? url.origin;
  return receiptFile(services, { file: params.file, query: url.searchParams, origin });
}
