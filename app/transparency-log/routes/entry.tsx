// /log/entries/{index}: one entry of the public log.
import { RowIcon } from '#app/ui/row-icon.tsx';
import { data, href, isRouteErrorResponse, Link } from 'react-router';
import { leafWords } from '#app/visits/leaf-words.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { useSite } from '#app/ui/site.ts';
import { readEntryPage } from '../entry-page.server.ts';
import { parseEntryIndex } from '../log-address.ts';
import { ProofActions } from '../proof-check.tsx';
import type { Route } from './+types/entry';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const name = matches[0].loaderData?.registryName ?? '';
  return [
    { title: `Entry ${loaderData.index.toLocaleString('en-AU')} of the public log · ${name}` },
    { name: 'description', content: `${loaderData.words}: one entry of the signed public log.` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const index = parseEntryIndex(params.index);
  const found = index === undefined ? undefined : await readEntryPage(context.get(servicesContext), index);
  if (found?.state === 'signed') {
    const { entry } = found;
    return { ...entry, facts: entry.facts.map((fact) => ({ ...fact, value: leafWords(fact.field, fact.value) })) };
  }
  throw data({ sentence: noEntryWords(found?.size) }, { status: 404, statusText: 'Not Found' });
}

function noEntryWords(size: number | undefined): string {
  if (size === undefined) return 'An entry of the public log is named by a whole number from 0.';
  if (size === 0) return 'Nothing has been signed in the public log yet.';
  return `The newest signed entry is ${(size - 1).toLocaleString('en-AU')}. A new one is signed within seconds.`;
}

export default function LogEntry({ loaderData: entry }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  return (
    <PublicFrame>
      <main id="main" className={framed ? '' : 'page pt-8'}>
        <div className="mx-auto max-w-205">
          <Link to={href('/log')} className="inline-flex min-h-11 items-center gap-1.5 text-sm">
            <RowIcon name="chevron-left" className="row-icon size-4.5" />
            Public log
          </Link>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 className="text-2xl">{`Entry ${entry.index.toLocaleString('en-AU')}`}</h1>
            <nav aria-label="Neighbouring entries" className="flex gap-2">
              {entry.index === 0 ? null : <Neighbour index={entry.index - 1} rel="prev" />}
              {entry.index + 1 === entry.size ? null : <Neighbour index={entry.index + 1} rel="next" />}
            </nav>
          </div>
          <div className="card mt-3 divide-y divide-line">
            <div className="px-5 py-4">
              <h2 className="flex items-center gap-2.5 text-lg">
                <RowIcon name="shield-check" className="row-icon size-5.5" />
                {entry.words}
              </h2>
              <p className="pt-1 text-ink-2">
                Which truck and which person it is about is not readable here: the log holds only a fingerprint.
              </p>
            </div>
            <FactList
              facts={[
                { label: 'Logged', value: entry.at },
                { label: 'Origin', value: entry.origin },
                ...entry.facts,
                {
                  label: 'Signed',
                  value: `In the log of ${entry.size.toLocaleString('en-AU')} entries${entry.signedAt === '' ? '' : `, ${entry.signedAt}`}`,
                },
                ...(entry.witnessed === null ? [] : [{ label: 'Witnessed', value: entry.witnessed }]),
                { label: 'Leaf hash', value: entry.hash, look: 'mono' },
              ]}
            />
            <div className="no-print flex flex-wrap items-center gap-x-3 rounded-b-lg bg-sunken px-5 py-2.5">
              <ProofActions shown={entry.shown} />
            </div>
          </div>
        </div>
      </main>
    </PublicFrame>
  );
}

function Neighbour({ index, rel }: { index: number; rel: 'prev' | 'next' }) {
  return (
    <Link
      to={href('/log/entries/:index', { index: String(index) })}
      rel={rel}
      className="button-look button-secondary"
      aria-label={`Entry ${index.toLocaleString('en-AU')}`}
    >
      {rel === 'prev' ? <RowIcon name="chevron-left" className="row-icon size-4.5" /> : null}
      {index.toLocaleString('en-AU')}
      {rel === 'next' ? <RowIcon name="chevron-right" className="row-icon size-4.5" /> : null}
    </Link>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { registryName } = useSite();
  const thrown: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (typeof thrown !== 'object' || thrown === null || !('sentence' in thrown)) throw error;
  return (
    <>
      <title>{`No such entry in the public log · ${registryName}`}</title>
      <SearchHeader name={registryName} />
      <main id="main" className="page pt-8">
        <RowIcon name="search-x" className="row-icon size-11" />
        <h1 className="pt-3 text-2xl">No such entry in the public log</h1>
        <p className="pt-3">{String(thrown.sentence)}</p>
        <p className="pt-3">
          <Link to={href('/log')} className="inline-flex min-h-11 items-center">
            See the public log
          </Link>
        </p>
      </main>
    </>
  );
}
