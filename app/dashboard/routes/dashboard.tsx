import { Link } from 'react-router';
import { mayOpen } from '#app/access/pages.ts';
import { useMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { RecordedList } from '#app/readings/recorded-list.tsx';
import type { Topic } from '#app/activity-log/topic.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { ownHref } from '#app/vehicles/list-query.ts';
import { Card } from '#app/ui/card.tsx';
import { titled } from '#app/ui/page-title.ts';
import { AttentionCard } from '../attention-card.tsx';
import { MonthsCard, VerdictCard } from '../dashboard-charts.tsx';
import { dashboardPage } from '../dashboard-page.server.ts';
import { Widgets } from '../widgets.tsx';
import type { Route } from './+types/dashboard';

export const meta = titled('Dashboard');

export async function loader({ context }: Route.LoaderArgs) {
  const who = requireSignedIn(context);
  return { personId: who.personId, page: await dashboardPage(context.get(servicesContext), who) };
}

const FOLLOWED = {
  own: ['vehicles'],
  office: ['vehicles', 'visits', 'check-visits', 'admins', 'applications', 'technicians', 'policy', 'references'],
} as const satisfies Record<string, readonly Topic[]>;

export default function Dashboard({ loaderData: { personId, page } }: Route.ComponentProps) {
  const may = useMay();
  const isOffice = may('read people');
  const own = page.ownTotal;
  const waiting = page.widgets.find(({ type }) => type === 'application')?.now;
  return (
    <main id="main">
      <Subscription topics={FOLLOWED[isOffice ? 'office' : 'own']} since={page.since} />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-4">
        <h1 className="text-xl">Dashboard</h1>
        <p className="flex flex-wrap gap-x-3 text-ink-3">
          {`As at ${page.asAt}`}
          <PolicyLine version={page.policy.version} />
        </p>
      </div>
      <Widgets widgets={page.widgets} />
      <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_21.25rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {isOffice ? null : (
            <Card
              title="Your last calibrations"
              id="own-calibrations"
              aside={
                <span className="flex flex-wrap gap-x-4">
                  <Link to={ownHref(personId)} className="inline-flex min-h-11 items-center font-semibold">
                    My trucks
                  </Link>
                  <Link to="/my-visits" className="inline-flex min-h-11 items-center font-semibold">
                    My visits
                  </Link>
                  <Link to="/my-calibrations" className="inline-flex min-h-11 items-center font-semibold">
                    {`See all ${own.toLocaleString('en-AU')}`}
                  </Link>
                </span>
              }
            >
              <RecordedList readings={page.own} empty="You have not recorded any calibrations yet." />
            </Card>
          )}
          <AttentionCard page={page} waiting={mayOpen(may, '/applications') ? waiting : undefined} />
          <MonthsCard months={page.perMonth} />
        </div>
        <VerdictCard verdicts={page.verdicts} />
      </div>
    </main>
  );
}
