import { href, Link } from 'react-router';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { type Fact, FactList } from '#app/ui/fact-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { useSite } from '#app/ui/site.ts';
import { privacyRows } from '../privacy-words.server.ts';
import type { Route } from './+types/contact';

export const meta = titled('Contact and privacy', {
  description: 'Who runs this registry, how to reach them, and what is kept of whom and how long.',
});

export function loader({ context }: Route.LoaderArgs) {
  const { contactEmail, operatorName, sourceUrl, authTokenSyncUrl } = context.get(servicesContext).config;
  return {
    email: contactEmail ?? null,
    operator: operatorName ?? null,
    source: sourceUrl?.href ?? null,
    rows: privacyRows({ tellsSignIns: authTokenSyncUrl !== undefined }),
  };
}

export default function Contact({ loaderData }: Route.ComponentProps) {
  const { email, operator, source, rows } = loaderData;
  const { registryName } = useSite();
  const facts: Fact[] = [
    ...(operator === null ? [] : [{ label: 'Operator', value: operator }]),
    ...(email === null ? [] : [{ label: 'Email', value: <OutLink to={`mailto:${email}`} words={email} /> }]),
    ...(source === null ? [] : [{ label: 'Source code', value: <OutLink to={source} words={source} /> }]),
  ];
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page pt-8">
        <div className="max-w-180">
          <h1 className="text-2xl">Contact</h1>
          <section className="card mt-4 divide-y divide-line">
            {facts.length === 0 ? null : <FactList facts={facts} />}
            <div className="grid gap-3 px-5 py-4">
              <p>
                {email === null
                  ? 'No address is given here. Ask the person who sent you here, or the technician named at a calibration.'
                  : 'Is a record wrong? Report it from its page, or write to us, and name the rego and what is wrong.'}
              </p>
              <p>
                Whether records were altered, anyone can check for themselves:{' '}
                <Link to={href('/log')} className="link-in-text">
                  the public log
                </Link>
              </p>
            </div>
          </section>
          <h2 id="privacy" className="pt-10 text-2xl">
            Privacy
          </h2>
          <section className="card mt-4" aria-labelledby="privacy">
            <p className="border-b border-line px-5 py-3 text-sm text-ink-2">
              Of whom, what is kept, and for how long:
            </p>
            <dl>
              {rows.map(({ who, kept, howLong }) => (
                <div
                  key={who}
                  className="grid gap-x-4 gap-y-1.5 border-b border-line px-5 py-3 sm:grid-cols-[9rem_1fr_1fr]"
                >
                  <dt className="font-semibold">{who}</dt>
                  <dd>{kept}</dd>
                  <dd className="text-ink-2">{howLong}</dd>
                </div>
              ))}
            </dl>
            <p className="px-5 py-4 text-sm text-ink-2">
              Before you sign in, the only cookie is one that shows once that a form was sent. Pages load nothing from
              others.{' '}
              {email === null ? null : <OutLink to={`mailto:${email}`} words="Ask for yours, or have it erased" />}
            </p>
          </section>
        </div>
      </main>
    </>
  );
}

function OutLink({ to, words }: { to: string; words: string }) {
  return (
    <a href={to} className="link-in-text break-all">
      {words}
    </a>
  );
}
