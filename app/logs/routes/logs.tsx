import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { LogList } from '../log-list.tsx';
import { logPage } from '../log-page.server.ts';
import { titled } from '#app/ui/page-title.ts';
import type { Route } from './+types/logs';

export const meta = titled('Logs');

export async function loader({ context, url }: Route.LoaderArgs) {
  return { log: await logPage(context.get(servicesContext), url) };
}

export default function Logs({ loaderData: { log } }: Route.ComponentProps) {
  return (
    <main id="main">
      <Subscription topics={['logs']} since={log.since} />
      <h1 className="pb-4 text-xl">Logs</h1>
      <LogList log={log} />
    </main>
  );
}
