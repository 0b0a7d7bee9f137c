import { redirect } from 'react-router';
import { acceptsPage } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { answerLabel } from '../answer-labels.server.ts';
import type { Route } from './+types/label';

// Sends a person to the vehicle's page, which says why there is no label.
export function loader({ request, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  if (!acceptsPage(request)) return answerLabel(services, params.file);
  return answerLabel(services, params.file, (_, rego) => redirect(`/vehicles/view/${encodeURIComponent(rego)}`, 303));
}
