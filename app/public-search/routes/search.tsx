import { RowIcon } from '#app/ui/row-icon.tsx';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { useSite } from '#app/ui/site.ts';
import { Results } from '../results.tsx';
import { searchResults } from '../search-results.server.ts';
import { LiveSearchHeader } from '#app/shell/site-header.tsx';
import type { Route } from './+types/search';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const name = matches[0].loaderData?.registryName ?? '';
  return [
    {
      title:
        loaderData !== undefined && 'text' in loaderData.results
          ? `“${loaderData.results.text}” · ${name}`
          : `Search · ${name}`,
    },
    {
      name: 'description',
      content: 'Search the registry of on-board truck-scale calibrations by part of a rego or VIN.',
    },
  ];
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { results: await searchResults(context.get(servicesContext), url) };
}

export default function SearchPage({ loaderData: { results } }: Route.ComponentProps) {
  const { registryName } = useSite();
  useTextFromState(results.kind);
  return (
    <>
      <LiveSearchHeader name={registryName} text={'text' in results ? results.text : ''} />
      <main id="main" className="page pt-8">
        <Subscription topics={results.kind === 'empty' ? [] : ['vehicles']} since={results.since} />
        {results.kind === 'empty' ? <Hint /> : <Results results={results} path="/search" />}
      </main>
    </>
  );
}

// The specification passes the text in the navigation state. This moves it into the address, which can be shared.
function useTextFromState(kind: string): void {
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  const handed =
    typeof state === 'object' && state !== null && 'q' in state && typeof state.q === 'string' ? state.q : '';
  useEffect(() => {
    if (kind === 'empty' && handed !== '')
      void navigate(`/search?q=${encodeURIComponent(handed)}`, { replace: true, state: null });
  }, [kind, handed, navigate]);
}

function Hint() {
  return (
    <section className="card px-5 py-12 text-center">
      <RowIcon name="search" className="row-icon size-9 mx-auto text-ink-3" />
      <h1 className="pt-3 text-lg">Type a rego or a VIN, or part of one</h1>
      <p className="pt-1 text-ink-2">For example XV04KL. Results follow as you type.</p>
    </section>
  );
}
