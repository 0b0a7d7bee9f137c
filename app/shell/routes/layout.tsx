import { useMemo, useState } from 'react';
import { Outlet, useFetcher, type ShouldRevalidateFunctionArgs } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { ListTopic } from '#app/activity-log/topic.ts';
import { BesidePage } from '#app/platform/live/live-client.ts';
import { NewVersionNote } from '#app/ui/new-version-note.tsx';
import { countsBeside, type Waiting } from '../count-waiting.server.ts';
import { Frame } from '../frame.tsx';
import type { Route } from './+types/layout';

export async function loader({ context }: Route.LoaderArgs) {
  return { waiting: await countsBeside(context.get(servicesContext).db, requireSignedIn(context).role) };
}

const BESIDE: readonly ListTopic[] = ['visits', 'reports', 'applications', 'patterns'];
const NONE: readonly ListTopic[] = [];

/**
 * The numbers are asked again with every other page and when this one is loaded again. Not by a refused form: what is
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
export default function BackOffice({ loaderData: { waiting } }: Route.ComponentProps) {
  const { data, load } = useFetcher<Waiting | null>();
  const [latest, setLatest] = useState({ waiting, data, shown: waiting });
  // Whichever came last: those of the page, or those that were asked for alone.
  if (latest.waiting !== waiting || latest.data !== data)
    setLatest({ waiting, data, shown: (latest.waiting === waiting ? data : waiting) ?? latest.shown });
  const topics = '/visits' in waiting ? BESIDE : NONE;
  const beside = useMemo(() => ({ topics, reload: () => void load('/waiting') }), [topics, load]);
  return (
    <BesidePage value={beside}>
      <Frame waiting={latest.shown}>
        <NewVersionNote />
        <Outlet />
      </Frame>
    </BesidePage>
  );
}
