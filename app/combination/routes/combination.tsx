// /combination: units that are coupled, and one word for all.
import { data } from 'react-router';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { PrintFoot } from '#app/vehicle-page/print-foot.tsx';
import { CombinationAnswer } from '../combination-answer.tsx';
import { CombinationForm } from '../combination-form.tsx';
import { combinationPage } from '../combination-page.server.ts';
import type { Route } from './+types/combination';

const TITLE = 'Check a truck with its trailers';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const name = matches[0].loaderData?.registryName ?? '';
  const shown = loaderData?.shown ?? null;
  if (shown === null)
    return [
      { title: `${TITLE} · ${name}` },
      { name: 'description', content: 'One word for a truck and its trailers: the worst of what is said of each.' },
    ];
  const regos = shown.units.map(({ rego }) => rego).join(', ');
  return [{ title: `${shown.label}: ${regos} · ${name}` }, { name: 'robots', content: 'noindex' }];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const page = await combinationPage(services, url.searchParams, services.config.publicUrl?.origin ?? url.origin);
  const isWrong = page.given.length > 0 && page.shown === null;
  return data(page, { status: isWrong ? 400 : 200 });
}

export default function Combination({ loaderData: page }: Route.ComponentProps) {
  const { shown, given, error, on } = page;
  if (shown === null)
    return (
      <PublicFrame>
        <main id="main" className="page grid max-w-200 grid-cols-1 gap-4 pt-8">
          <h1 className="text-2xl">{TITLE}</h1>
          <section className="card p-6 max-row:p-4" aria-label="Units">
            <CombinationForm given={given} error={error} on={on} />
          </section>
        </main>
      </PublicFrame>
    );
  const isWrong = given.some((one) => one.error !== '');
  const topics = new Set(
    shown.units.flatMap(({ rego }) => (/^[A-Z0-9]+$/.test(rego) ? topicsOfVehiclePage(rego) : [])),
  );
  return (
    <>
      <Subscription topics={[...topics]} since={shown.since} />
      <PublicFrame>
        <main id="main" className="page grid grid-cols-1 gap-4 pt-8 max-row:pt-4 print:py-0">
          <CombinationAnswer shown={shown} log={page.log} />
          <div className="no-print flex flex-wrap gap-2 max-sm:[&>*]:grow">
            <button type="button" className="scripted-only button-look button-secondary" onClick={() => window.print()}>
              Print
            </button>
            <a href={page.receipt} className="button-look button-secondary" download onClick={stayWhenOffline}>
              <RowIcon name="file-check-corner" className="row-icon size-4.5" />
              Receipt (PDF)
            </a>
          </div>
          <details className="no-print card" open={isWrong}>
            <summary className="flex min-h-14 cursor-pointer items-center gap-2.5 px-5 font-semibold max-row:px-4">
              Change the units
            </summary>
            <div className="border-t border-line p-5 max-row:p-4">
              <CombinationForm given={given} error={error} on={on} />
            </div>
          </details>
          <PrintFoot qr={page.qr} address={page.address} printedAt={shown.asAt} entry={undefined} />
        </main>
      </PublicFrame>
    </>
  );
}
