import { Outlet, type ShouldRevalidateFunctionArgs } from 'react-router';
import { may } from '#app/access/permissions.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { countWaiting } from '#app/visit-queue/queue-page.server.ts';
import { NewVersionNote } from '#app/ui/new-version-note.tsx';
import { Frame } from '../frame.tsx';
import type { Route } from './+types/layout';

/** `waiting`: how many visits wait for an admin; 0 for who may not read them. */
export async function loader({ context }: Route.LoaderArgs) {
  const { role } = requireSignedIn(context);
  return { waiting: may(role, 'read visits') ? await countWaiting(context.get(servicesContext).db) : 0 };
}

/**
 * The number is asked again with every other page and when this one is loaded again. Not by a refused form: what is
 * shown stays while the database is away. Nor by a dialog that opens or closes, which needs no request.
 */
export const shouldRevalidate = ({
  formMethod = 'GET',
  actionStatus = 200,
  currentUrl,
  nextUrl,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === 'GET'
    ? currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href
    : actionStatus < 400;

/** The frame of the back office. The guard (app/access/guard.server.ts) lets only signed-in people reach it. */
export default function BackOffice({ loaderData }: Route.ComponentProps) {
  return (
    <Frame waiting={loaderData.waiting}>
      <NewVersionNote />
      <Outlet />
    </Frame>
  );
}
