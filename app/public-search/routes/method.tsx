// /method: how the error of a scale at its check load is worked out, how sure it is, and what word follows.
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { useSite } from '#app/ui/site.ts';
import { methodWords } from '../method-words.server.ts';
import type { Route } from './+types/method';

export const meta = titled('Error at the check load: the method', {
  description: 'How the registry works out the error of an on-board scale at a check load, and how sure it is.',
});

export async function loader({ context }: Route.LoaderArgs) {
  const { since, policy } = await policyAndLogSize(context.get(servicesContext).db);
  return { since, ...methodWords(policy.assumedIntervalKg) };
}

export default function Method({ loaderData: { since, version, sections, example, sources } }: Route.ComponentProps) {
  const { registryName } = useSite();
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page grid max-w-190 grid-cols-[minmax(0,1fr)] gap-5 py-6">
        <Subscription topics={['policy']} since={since} />
        <div>
          <h1 className="pb-2 text-xl">Error at the check load: the method</h1>
          <p className="text-ink-2">{`Version ${version}`}</p>
        </div>
        {sections.map(({ title, lines }) => (
          <Card key={title} title={title}>
            <div className="grid gap-2 px-5 py-4">
              {lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </Card>
        ))}
        <Card title="An example: a drive group, e = 20 kg">
          <FactList facts={example} />
        </Card>
        <Card title="Sources">
          <ul className="grid list-disc gap-2 py-4 pr-5 pl-10">
            {sources.map((source) => (
              <li key={source}>{source}</li>
            ))}
          </ul>
        </Card>
      </main>
    </>
  );
}
