// /settings/jobs: what the registry does by itself again and again, and how it went.
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { titled } from '#app/ui/page-title.ts';
import { capital } from '#app/visits/visit.ts';
import { listJobs } from '../jobs-page.server.ts';
import type { Route } from './+types/jobs';

export const meta = titled('Jobs');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  return { jobs: await listJobs(db, config.timeZone) };
}

export default function Jobs({ loaderData: { jobs } }: Route.ComponentProps) {
  const failed = jobs.filter(({ error }) => error !== null).length;
  return (
    <main id="main" className="max-w-190">
      <h1 className="text-xl">Jobs</h1>
      <p className="pb-5 text-sm text-ink-2">
        {`What the registry does by itself, on one node. ${failed === 0 ? 'No job failed when it last ran.' : `${failed} failed at the last run.`}`}
      </p>
      <Card title={`${jobs.length} jobs`} id="jobs">
        <ul className="divide-y divide-line">
          {jobs.map(({ name, every, last, node, error }) => (
            <li key={name} className="px-5 py-3 max-row:px-4">
              <p className="font-semibold">{capital(name)}</p>
              {error === null ? null : (
                <p className="font-semibold wrap-anywhere text-overdue-text">{`Failed: ${error}`}</p>
              )}
              <p className="text-sm wrap-anywhere text-ink-2">{`Every ${every} · last run ${last} on ${node}`}</p>
            </li>
          ))}
        </ul>
      </Card>
    </main>
  );
}
