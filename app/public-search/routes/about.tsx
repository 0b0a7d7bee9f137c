import { Link } from 'react-router';
import { formatInstant, zoneName } from '#app/platform/time/calendar.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { addedWords } from '#app/people/newcomer.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { PendingProposal } from '#app/policy/pending-proposal.tsx';
import { policyFacts } from '#app/policy/policy-fields.ts';
import { days } from '#app/policy/policy.ts';
import { PolicyVersions } from '#app/policy/policy-versions.tsx';
import { presentProposal } from '#app/policy/present-proposal.server.ts';
import { findProposal, listPolicies, policyAndLogSize } from '#app/policy/queries.server.ts';
import { useSite } from '#app/ui/site.ts';
import { titled } from '#app/ui/page-title.ts';
import { VERDICTS } from '#app/vehicles/verdict-table.ts';
import { UnitsPicture } from '#app/vehicles/units-picture.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { howEarned, sectionsOf, units } from '../about-words.server.ts';
import type { Route } from './+types/about';

export const meta = titled('How verdicts work', {
  description: 'How the registry decides whether a truck’s on-board scale calibration is valid today, in plain words.',
});

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const zone = config.timeZone;
  const { since, policy } = await policyAndLogSize(db);
  const versions = await listPolicies(db);
  const proposal = await findProposal(db);
  return {
    since,
    sentences: when(policy.dueSoonDays),
    earned: howEarned(policy),
    units: units(),
    sections: sectionsOf(zone),
    proposal: proposal === undefined ? null : presentProposal(proposal, policy, zone),
    versions: versions.map((version) => ({
      version: version.version,
      since: `${formatInstant(version.changedAt, zone)} ${zoneName(version.changedAt, zone)}`,
      confirmed: version.addedDays === null ? '' : `, confirmed by an administrator ${addedWords(version.addedDays)}`,
      facts: policyFacts(version),
      entry: version.leafIndex,
    })),
  };
}

// Called by the loader, so that no script holds them.
const when = (dueSoonDays: number) => ({
  'never-calibrated': 'No calibration has been recorded for the vehicle.',
  'not-validated':
    'Calibrations are recorded, but none counts, or an administrator has not validated them, or has withdrawn the validation.',
  overdue: 'Validated, but the date when the next calibration was due has passed.',
  'due-soon': `Validated, and the next calibration is due within ${days(dueSoonDays)}, today included.`,
  valid: `Validated, and the next calibration is due in more than ${days(dueSoonDays)}, or no due date is recorded.`,
});

export default function About({ loaderData }: Route.ComponentProps) {
  const { since, sentences, earned, units: behind, sections, proposal, versions } = loaderData;
  const { registryName } = useSite();
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page pt-8">
        <Subscription topics={['policy']} since={since} />
        <div className="max-w-180 [&_h2]:pt-8 [&_h2]:text-xl [&_p]:pt-3">
          <h1 className="text-2xl">How verdicts work</h1>
          <p className="text-lg text-ink-2">
            A verdict answers one question: can this truck’s on-board scale be trusted today, going by what has been
            recorded?
          </p>
          <h2>The five verdicts</h2>
          <dl className="pt-3">
            {VERDICTS.toReversed().map(({ verdict, tick }) => (
              <div key={verdict} className="grid gap-x-4 gap-y-1.5 border-b border-line py-3 sm:grid-cols-[11rem_1fr]">
                <dt>
                  <VerdictBadge verdict={verdict} />
                </dt>
                <dd>{`${sentences[verdict]} ‘Valid Calibration’ shows a ${tick ? 'tick' : 'cross'}.`}</dd>
              </div>
            ))}
          </dl>
          <h2 id="earned">How a verdict is earned</h2>
          {earned.paragraphs.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <h3 className="pt-6 text-base">An example: one truck</h3>
          <dl className="pt-1">
            {earned.example.map(({ day, words }) => (
              <div key={day} className="grid gap-x-4 gap-y-1.5 border-b border-line py-3 sm:grid-cols-[11rem_1fr]">
                <dt className="font-semibold">{day}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <h2 id="units">Trucks and their trailers</h2>
          <div className="pt-4">
            <UnitsPicture picture={behind.picture} />
          </div>
          {behind.paragraphs.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <p>
            <Link to="/combination">Check a truck with its trailers</Link>
          </p>
          <h2 id="policy">The rules, and their versions</h2>
          <p>
            The registry’s own rules say how soon ‘due soon’ is, how far two calibrations may differ and still agree,
            which interval is suggested for the next one, and which checks a visit must pass to count. Each page names
            the rules version it uses. Each change is in the public log, so anyone can prove which rules held when. A
            change that makes the rules less strict needs a second administrator, who has been one for 90 days; while
            there is none, it is shown here for seven days before it takes effect.
          </p>
          {proposal === null ? null : (
            <section className="card mt-4 px-5 py-4 [&_p]:pt-0" aria-labelledby="proposal">
              <h3 id="proposal" className="text-base">
                A less strict version is proposed
              </h3>
              <PendingProposal {...proposal} />
            </section>
          )}
          <PolicyVersions versions={versions} />
          {sections.map(({ title, words, to }) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>
                {words} {to && <Link to={to}>The method</Link>}
              </p>
            </section>
          ))}
          <h2>Patterns that deserve a look</h2>
          <p>
            Each night the registry looks at all records for what invented or copied calibrations leave behind. That
            changes no verdict. <Link to="/patterns/method">How it looks, and what came of it</Link>
          </p>
          <h2>For developers</h2>
          <p>
            Everything public here is also available as JSON, free and without a key:{' '}
            <a href="/api/v1/openapi.json">the API’s description</a>.
          </p>
        </div>
      </main>
    </>
  );
}
