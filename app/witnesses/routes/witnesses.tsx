// /log/witnesses: who else watches the log, and how to join them.
import { RowIcon } from '#app/ui/row-icon.tsx';
import { href, Link } from 'react-router';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { Note } from '#app/ui/note.tsx';
import { useSite } from '#app/ui/site.ts';
import { JoinThem } from '../join-them.tsx';
import { witnessesPage } from '../witnesses-page.server.ts';
import { titled } from '#app/ui/page-title.ts';
import type { Route } from './+types/witnesses';

export const meta = titled('Witnesses', {
  description: 'Who else signs the public log, after they have seen that it has only grown.',
});

export const loader = ({ context, url }: Route.LoaderArgs) => witnessesPage(context.get(servicesContext), url.origin);

export default function Witnesses({ loaderData: { asked, address, logKey } }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  return (
    <PublicFrame>
      <main id="main" className={framed ? '' : 'page pt-8'}>
        <div className="mx-auto max-w-245">
          <Link to={href('/log')} className="inline-flex min-h-11 items-center gap-1.5 text-sm">
            <RowIcon name="chevron-left" className="row-icon size-4.5" />
            Public log
          </Link>
          <h1 className="text-2xl">Witnesses</h1>
          <p className="max-w-180 pt-2 text-lg text-ink-2">
            A witness is a program run by somebody else. It signs the log only after it has seen that nothing was taken
            back. So you need not trust us alone.
          </p>
          {asked === null ? (
            <div className="pt-5">
              <Note kind="info">
                This registry asks no witnesses yet. Its proofs are as strong as the number of people who keep a
                checkpoint.
              </Note>
            </div>
          ) : (
            <Asked asked={asked} />
          )}
          <JoinThem address={address} logKey={logKey} />
        </div>
      </main>
    </PublicFrame>
  );
}

function Asked({ asked }: { asked: NonNullable<Route.ComponentProps['loaderData']['asked']> }) {
  return (
    <>
      <div className="card mt-5 overflow-hidden">
        <dl className="grid divide-line sm:grid-cols-3 sm:divide-x max-sm:divide-y">
          <Figure label="Policy">{asked.rule}</Figure>
          <Figure label="Newest witnessed log">
            {asked.size === null ? 'None yet' : `${asked.size.toLocaleString('en-AU')} entries`}
          </Figure>
          <Figure label="Age">
            {asked.age !== null && asked.isOld ? (
              <span className="text-due-text">{asked.age}</span>
            ) : (
              (asked.age ?? 'N/A')
            )}
          </Figure>
        </dl>
        {asked.own === 0 ? null : (
          <p className="border-t border-line bg-accent-soft px-5 py-3 text-info-text">
            <strong>{ownWords(asked.own, asked.witnesses.length)}</strong>
            {' They show how it works; they do not replace an independent witness.'}
          </p>
        )}
        {asked.isOld ? (
          <p className="border-t border-line bg-due-soft px-5 py-3 text-due-text">
            No quorum of the last day: a proof of today is not witnessed.
          </p>
        ) : null}
      </div>
      <section className="card mt-5">
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-2">
          <h2 className="text-lg">Who watches</h2>
          <a href="/log/1/policy" className="inline-flex min-h-11 items-center">
            Policy file
          </a>
        </div>
        <ul className="list-none divide-y divide-line">
          {asked.witnesses.map(({ name, isOwn, since, last, late, key }) => (
            <li key={key} className="grid gap-1 px-5 py-3">
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <h3 className="text-lg">
                  {name}
                  <span className="text-sm font-normal text-ink-2">
                    {isOwn ? ' · This registry’s own' : ' · Run elsewhere'}
                  </span>
                </h3>
                {late === null ? (
                  <span className="inline-flex items-center gap-1.5 text-sm font-semibold">
                    <RowIcon name="check" className="row-icon size-4.5" />
                    Up to date
                  </span>
                ) : (
                  <span className="rounded-full bg-ink px-3 py-0.5 text-sm font-semibold text-surface">{late}</span>
                )}
              </div>
              {last === '' ? null : <p className="text-sm text-ink-2">{`Since ${since} · last signed ${last}`}</p>}
              <code className="font-mono text-sm break-all">{key}</code>
            </li>
          ))}
        </ul>
        <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
          A checkpoint that has enough signatures stands at{' '}
          <a href="/log/1/checkpoint.witnessed" className="link-in-text">
            /log/1/checkpoint.witnessed
          </a>
          . After a day without them every proof here says so.
        </p>
      </section>
    </>
  );
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-3 sm:block">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className="text-lg font-bold">{children}</dd>
    </div>
  );
}

function ownWords(own: number, all: number): string {
  if (own < all) return `${own} of the ${all} ${own === 1 ? 'is' : 'are'} our own.`;
  if (all === 1) return 'It is our own.';
  return all === 2 ? 'Both are our own.' : `All ${all} are our own.`;
}
