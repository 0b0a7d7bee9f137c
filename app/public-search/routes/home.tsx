import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { ArrivalNote } from '#app/ui/note.tsx';
import { useSite } from '#app/ui/site.ts';
import { HomeIntro } from '../home-intro.tsx';
import { HomeSearchForm } from '../home-search-form.tsx';
import { Results } from '../results.tsx';
import { searchResults } from '../search-results.server.ts';
import { PlainHeader } from '#app/shell/site-header.tsx';
import type { Route } from './+types/home';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const name = matches[0].loaderData?.registryName ?? '';
  const title =
    loaderData !== undefined && 'text' in loaderData.results ? `“${loaderData.results.text}” · ${name}` : name;
  return [
    { title },
    {
      name: 'description',
      content:
        'Is this truck’s on-board scale calibration valid today? Search by rego or VIN, free and without signing in.',
    },
  ];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { results: await searchResults(context.get(servicesContext), url) };
}

export default function Home({ loaderData: { results } }: Route.ComponentProps) {
  const { registryName } = useSite();
  const text = 'text' in results ? results.text : '';
  const empty = results.kind === 'empty';
  return (
    <>
      <PlainHeader name={registryName} line={!empty} />
      <main id="main">
        <Subscription topics={empty ? [] : ['vehicles']} since={results.since} />
        <div className={empty ? 'bg-surface pt-9 pb-10' : 'pt-12'}>
          <div className="page">
            <ArrivalNote />
            <div hidden={!empty} className="pb-6">
              {empty ? (
                <h1 className="text-3xl font-extrabold tracking-tight">Is this truck’s scale calibration valid?</h1>
              ) : null}
              <p className="pt-2 text-lg text-ink-2">
                Check any on-board truck scale in the registry. It is free and you do not need to sign in.
              </p>
            </div>
            <HomeSearchForm text={text} large={empty} />
          </div>
        </div>
        {empty ? (
          <HomeIntro />
        ) : (
          <div className="page pt-6">
            <Results results={results} path="/" />
          </div>
        )}
      </main>
    </>
  );
}
