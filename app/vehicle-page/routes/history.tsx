import { href, Link, redirect } from 'react-router';
import { signedInContext } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { CalibrationHistory } from '#app/visits/calibration-history.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { MissingVehicleBoundary } from '#app/shell/missing-vehicle-boundary.tsx';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { MismatchBanner } from '#app/transparency-log/mismatch-banner.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useSite } from '#app/ui/site.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { missingVehicle, movedStatus, regoOf } from '#app/vehicles/missing-vehicle.server.ts';
import { historyPage } from '../history-page.server.ts';
import { TimelineCard } from '../timeline-card.tsx';
import type { Route } from './+types/history';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const { rego } = loaderData.page;
  return [
    { title: `Whole history of ${rego} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: `Every calibration of the scale of ${rego}, and what happened to its verdict.` },
  ];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const rego = await regoOf(services.db, params.rego);
  if (rego !== params.rego)
    throw redirect(`${href('/vehicles/history/:rego', { rego })}${url.search}`, movedStatus(params.rego, rego));
  const found = await historyPage(services, rego, {
    asked: url.searchParams.get('page'),
    who: context.get(signedInContext),
  });
  if (found.state !== 'live') {
    const addressOf = (now: string) => href('/vehicles/history/:rego', { rego: now });
    throw await missingVehicle(services, { rego, found, addressOf });
  }
  return { page: found.page };
}

export default function VehicleHistory({ loaderData: { page } }: Route.ComponentProps) {
  const { rego, mismatches, asAt } = page;
  const framed = useSite().signedIn !== null;
  const address = href('/vehicles/history/:rego', { rego });
  return (
    <>
      <Subscription topics={topicsOfVehiclePage(rego)} since={page.since} />
      <PublicFrame>
        <main
          id="main"
          className={`grid grid-cols-[minmax(0,1fr)] gap-5 print:gap-3 print:pt-0 ${framed ? '' : 'page pt-8 max-row:pt-4'}`}
        >
          {mismatches.length === 0 ? (
            <div>
              <h1 className="text-2xl font-bold">{`Whole history of ${rego}`}</h1>
              <p className="pt-1 text-ink-2">
                {`As at ${asAt}. Each record of it is what was entered in the public log: it was checked when this page was made.`}
              </p>
            </div>
          ) : (
            <div className="card verdict-card">
              <MismatchBanner subject={rego} plate={<Plate rego={rego} />} findings={mismatches} asAt={asAt} />
            </div>
          )}
          <p className="no-print flex flex-wrap gap-x-5">
            <Link
              to={href('/vehicles/view/:rego', { rego })}
              className="inline-flex min-h-11 items-center gap-2 font-semibold"
            >
              {`The verdict on ${rego}`}
            </Link>
            {['pdf', 'csv'].map((kind) => (
              <a
                key={kind}
                href={`/vehicles/report/${rego}-history.${kind}`}
                className="inline-flex min-h-11 items-center gap-2 font-semibold"
                download
                onClick={stayWhenOffline}
              >
                <RowIcon name="file-text" className="row-icon size-4.5" />
                {`Whole history (${kind.toUpperCase()})`}
              </a>
            ))}
          </p>
          <CalibrationHistory
            rego={rego}
            visits={page.visits}
            total={page.total}
            foot={
              page.pages === 1 ? null : (
                <>
                  <p className="print-only hidden px-5 py-2">{`This is page ${page.page} of ${page.pages} of the history.`}</p>
                  <Pager
                    page={page.page}
                    pages={page.pages}
                    label="Pages of the history"
                    hrefOf={(target) => `${address}?page=${target}`}
                  />
                </>
              )
            }
          />
          {page.timeline === null ? null : <TimelineCard timeline={page.timeline} />}
        </main>
      </PublicFrame>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingVehicleBoundary error={error} />;
}
