// /waiting: the numbers of the sidebar alone, for a page that stays as it is.
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { countsBeside } from '../count-waiting.server.ts';
import type { Route } from './+types/waiting';

export const loader = ({ context }: Route.LoaderArgs) =>
  countsBeside(context.get(servicesContext).db, requireSignedIn(context).role);

// Without an answer the numbers stay, and so does the page.
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);
