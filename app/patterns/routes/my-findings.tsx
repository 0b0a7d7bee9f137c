// /my-patterns: what the signed-in person was asked about, the newest first.
import { href, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { reportsAskedOf } from '#app/wrong-records/lists.server.ts';
import { myFindings } from '../my-findings.server.ts';
import type { Route } from './+types/my-findings';

export const meta = titled('Questions to me');

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { db } = services;
  const { personId } = requireSignedIn(context);
  const since = await logSize(db);
  const reports = await reportsAskedOf(services, personId);
  return {
    since,
    personId,
    asked: [
      ...reports.map(({ id, number, name, kind, state }) => ({
        to: href('/my-reports/:id', { id }),
        name: `Report ${number}`,
        words: `${name}: ${kind} · ${state}`,
      })),
      ...(await myFindings(db, personId)).map(({ id, name, found, word }) => ({
        to: href('/my-patterns/:id', { id }),
        name,
        words: `${word} · ${found}`,
      })),
    ],
  };
}

export default function MyFindings({ loaderData: { since, personId, asked } }: Route.ComponentProps) {
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={[`person:${personId}`]} since={since} />
      <h1 className="pb-1 text-xl">Questions to me</h1>
      <p className="pb-4 text-ink-2">
        Where somebody reports a record of yours, or figures in your visits look unusual, an administrator may ask you.
        Your answer is read before anything is decided.
      </p>
      {asked.length === 0 ? (
        <p>Nobody has asked you anything.</p>
      ) : (
        <ul className="card divide-y divide-line">
          {asked.map(({ to, name, words }) => (
            <li key={to} className="flex flex-wrap items-center justify-between gap-3 px-5 py-2">
              <Link to={to} className="inline-flex min-h-11 items-center font-semibold">
                {name}
              </Link>
              <span className="text-ink-2">{words}</span>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
