// /calibrated-by/{person}: who calibrated, for everybody.
import HardHat from 'lucide-react/icons/hard-hat';
import { data, href, Link } from 'react-router';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { useSite } from '#app/ui/site.ts';
import { publicTechnician } from '../public-technician.server.ts';
import type { Route } from './+types/public';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const { name, company } = loaderData.page;
  return [
    { title: `${name} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: `${name}${company === '' ? '' : `, ${company}`}: visits that this registry has.` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const since = await logSize(services.db);
  const page = await publicTechnician(services, params.personId);
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return { since, page };
}

export default function PublicTechnician({ loaderData: { since, page } }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  const { name, company, facts, visits, total, span, others } = page;
  return (
    <PublicFrame>
      <main id="main" className={framed ? '' : 'page pt-6'}>
        <Subscription topics={['vehicles', 'recorders']} since={since} />
        <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-5">
          <section className="card">
            <header className="flex gap-3 border-b border-line px-5 py-4">
              <HardHat size={32} aria-hidden="true" className="mt-0.5 shrink-0" />
              <div className="min-w-0 wrap-anywhere">
                <h1 className="text-2xl">{name}</h1>
                {company === '' ? null : <p className="text-lg">{company}</p>}
              </div>
            </header>
            <FactList facts={facts} />
          </section>
          <Card
            title={`${total.toLocaleString('en-AU')} ${total === 1 ? 'visit' : 'visits'}`}
            id="visits"
            aside={<span className="text-sm text-ink-2">{span}</span>}
          >
            <FactList
              facts={visits.map(({ word, count }) => ({ label: word, value: count.toLocaleString('en-AU') }))}
            />
            <p className="rounded-b-lg border-t border-line bg-sunken px-5 py-3 text-sm text-ink-2">
              By the state of the visit. Counts say nothing about how well somebody works: difficult trucks wait more
              often.
            </p>
          </Card>
          <p className="text-sm text-ink-2">
            Name, company, since when, and these counts are all that is public.
            {others.map((other) => (
              <span key={other.personId}>
                {` Another ${name}: `}
                <Link to={href('/calibrated-by/:personId', { personId: other.personId })} className="link-in-text">
                  {other.company}
                </Link>
                .
              </span>
            ))}
          </p>
          <div>
            <GoBack fallback="/" />
          </div>
        </div>
      </main>
    </PublicFrame>
  );
}
