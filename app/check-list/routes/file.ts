import { clientAddress, servicesContext } from '#app/platform/services/services.server.ts';
import { answerFile } from '../answer-file.server.ts';
import type { Route } from './+types/file';

export function action({ request, context, params, url }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const origin = services.config.publicUrl?.origin ?? url.origin;
  return answerFile(services, { request, file: params.file, client: context.get(clientAddress), origin });
}
