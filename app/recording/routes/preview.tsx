// /vehicles/calibrate/{rego}/preview?…: what would become of a set with the values of the query, as JSON. The form of a
// set asks it while one types; it writes nothing.
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { readPresentRego } from '#app/vehicles/read-rego.server.ts';
import { previewTyped } from '../preview-visit.server.ts';
import type { Route } from './+types/preview';

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const parsed = await readPresentRego(context.get(servicesContext).db, params.rego);
  if (!parsed.ok) return Response.json({ preview: null });
  const all = new Map([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]));
  const form = { fields: new Map(url.searchParams), all };
  const { preview } = await previewTyped(context.get(servicesContext), requireSignedIn(context), {
    rego: parsed.rego,
    ...form,
  });
  return Response.json({ preview }, { headers: { 'cache-control': 'no-store' } });
}
