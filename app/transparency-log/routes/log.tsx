import { useEffect, useRef } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { logSize } from '#app/activity-log/queries.server.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { parsePage } from '#app/platform/http/page-number.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { useSite } from '#app/ui/site.ts';
import { LogEntries, LogHead, Refusal } from '../log-head.tsx';
import { HowToCheck } from '../how-to-check.tsx';
import { readLogPage } from '../log-page.server.ts';
import { titled } from '#app/ui/page-title.ts';
import type { Route } from './+types/log';

const SIGNED_WITHIN_MS = 2000;

export const meta = titled('Public log', {
  description:
    'The signed public log that shows whether a recorded calibration was altered, removed or back-dated since.',
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  const since = await logSize(db);
  return { since, ...(await readLogPage({ config, now }, url.origin, parsePage(url.searchParams))) };
}

export default function PublicLog({ loaderData: log }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  useSignedState(log.since);
  return (
    <>
      <Subscription topics={['public-log']} since={log.since} />
      <PublicFrame>
        <main id="main" className={framed ? '' : 'page pt-8'}>
          <div className="max-w-180 [&_h2]:pt-8 [&_h2]:text-xl [&_p]:pt-3">
            <h1 className="text-2xl">Public log</h1>
            <p className="text-lg text-ink-2">
              Every calibration recorded here leaves a fingerprint in a list that can only grow. Anyone can keep a copy,
              so nobody can change or remove an entry later without being found out. That includes us.
            </p>
            <Refusal refusal={log.refusal} />
            <LogHead log={log} />
            <h2>What it proves</h2>
            <p>
              When something was recorded, and that it has not been altered since: a calibration, its correction, its
              validation, its certificate, and what became of the vehicle’s record. Each vehicle’s entries are chained,
              so a missing one shows. The date that a technician stated stands beside the time at which it was logged,
              so back-dating shows.
            </p>
            <p>
              Who did what is sealed as well: each hour the list of all activities enters the log as one hash, without a
              name, so that no activity can be changed or removed later unseen. Each administrator who is added or
              removed is an entry.
            </p>
            <h2>What it does not prove</h2>
            <p>
              That the scale was right, or that what was recorded was true. It also says nothing about records from
              before the log began, beyond how they stood when they were entered, and nothing about a truck that is not
              listed.
            </p>
            <p>
              The proof is as strong as the number of people who keep a checkpoint from time to time. If nobody did, a
              dishonest operator could show different people different logs.{' '}
              <Link to={href('/log/witnesses')} className="link-in-text">
                Witnesses
              </Link>{' '}
              keep one all the time, and sign only what extends it.
            </p>
            <h2>What it does not reveal</h2>
            <p>
              No rego, no person’s name and no note is readable in the log. Such values are in it only as salted
              fingerprints. Weighbridges are named in it. The proof file of a calibration holds what opens the public
              ones. When personal data are erased, so is what opens them; the entry stays, and still shows that a record
              existed and was not altered.
            </p>
            <HowToCheck steps={log.howToCheck} />
            <LogEntries entries={log.entries} />
          </div>
        </main>
      </PublicFrame>
    </>
  );
}

// An update is published at the commit; its signature follows within about a second.
function useSignedState(since: number): void {
  const { revalidate } = useRevalidator();
  const seen = useRef(since);
  useEffect(() => {
    if (seen.current === since) return;
    seen.current = since;
    const timer = setTimeout(() => void revalidate(), SIGNED_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [since, revalidate]);
}
