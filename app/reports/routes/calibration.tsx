import { clientAddress, services } from '#app/platform/services/services.server.ts';
import { answerReport } from '../answer-report.server.ts';
import type { Route } from './+types/calibration';

export function loader({ context, params, url }: Route.LoaderArgs) {
  const given = context.get(services);
  const origin = given.config.publicUrl?.origin ?? url.origin;
  return answerReport(given, { file: params.file, rego: params.rego, client: context.get(clientAddress), origin });
}
