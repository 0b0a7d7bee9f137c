// /my-patterns: what the signed-in person was asked about, the newest first.
import { href, Link } from 'react-router';
import { requireSignedIn } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { titled } from '#app/ui/page-title.ts';
import { myFindings } from '../my-findings.server.ts';
import type { Route } from './+types/my-findings';

export const meta = titled('Questions to me');

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { personId } = requireSignedIn(context);
  const since = await logSize(db);
  return { since, personId, findings: await myFindings(db, personId) };
}

export default function MyFindings({ loaderData: { since, personId, findings } }: Route.ComponentProps) {
  return (
    <main id="main" className="max-w-190">
      <Subscription topics={[`person:${personId}`]} since={since} />
      <h1 className="pb-1 text-xl">Questions to me</h1>
      <p className="pb-4 text-ink-2">
        Where figures in your visits look unusual, an administrator may ask you. Your answer is read before anything is
        decided.
      </p>
      {findings.length === 0 ? (
        <p>Nobody has asked you anything.</p>
      ) : (
        <ul className="card divide-y divide-line">
          {findings.map(({ id, name, found, word }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-2">
              <Link to={href('/my-patterns/:id', { id })} className="inline-flex min-h-11 items-center font-semibold">
                {name}
              </Link>
              <span className="text-ink-2">{`${word} · ${found}`}</span>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
