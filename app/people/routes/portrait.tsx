import { problem } from '#app/platform/http/problem-details.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { portrait } from '../portrait.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import type { Route } from './+types/portrait';

export async function loader({ params, context }: Route.LoaderArgs) {
  const picture = await portrait(context.get(servicesContext), requireSignedIn(context), params.personId);
  return picture ?? problem(404, 'portrait-unknown', { detail: 'This person has no picture.' });
}
