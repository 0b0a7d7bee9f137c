import { clientAddress, servicesContext } from '#app/platform/services/services.server.ts';
import { answerReport } from '../answer-report.server.ts';
import type { Route } from './+types/vehicle';

export function loader({ context, params, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const origin = services.config.publicUrl?.origin ?? url.origin;
  return answerReport(services, { file: params.file, client: context.get(clientAddress), origin });
}
