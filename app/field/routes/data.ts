// GET /field/data?rego=…&rego=…: what a technician's phone holds (`FieldData`), with the trucks asked for.
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { fieldData } from '../field-data.server.ts';
import type { Route } from './+types/data';

export async function loader({ context, url }: Route.LoaderArgs) {
  const data = await fieldData(context.get(servicesContext), requireSignedIn(context), url.searchParams.getAll('rego'));
  return Response.json(data, { headers: { 'cache-control': 'no-store' } });
}
