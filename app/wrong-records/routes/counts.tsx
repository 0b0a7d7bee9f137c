// /reports/counts: how many reports there were, of what, and what came of them. Under five is not told.
import { sql } from 'kysely';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { publicCount } from '#app/ui/counted.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { DECISIONS, KINDS } from '../report.ts';
import type { Route } from './+types/counts';

export const meta = titled('Reports of wrong records');

type Counted = { year: number; kind: string; decision: string | null; n: number };

export async function loader({ context }: Route.LoaderArgs) {
  const { rows } = await sql<Counted>`select extract(year from opened_on)::int as year, kind, decision, count(*) as n
    from wrong_report where opened_on is not null group by 1, 2, 3 order by 1 desc`.execute(
    context.get(servicesContext).db,
  );
  return [...Map.groupBy(rows, ({ year }) => year)].map(([year, counted]) => {
    const value = (fits: (row: Counted) => boolean) =>
      publicCount(counted.reduce((sum, row) => (fits(row) ? sum + row.n : sum), 0));
    const kinds = KINDS.map((one) => ({ label: one.label, value: value(({ kind }) => kind === one.value) }));
    const decisions = DECISIONS.map((one) => ({
      label: `Decided: ${one.label.toLowerCase()}`,
      value: value(({ decision }) => decision === one.value),
    }));
    return { year, facts: [{ label: 'Opened', value: value(() => true) }, ...kinds, ...decisions] };
  });
}

export default function Counts({ loaderData: years }: Route.ComponentProps) {
  return (
    <AccountPage title="Reports of wrong records">
      <p>Anybody may say that a record is wrong. Somebody who had no part in the record decides.</p>
      {years.length === 0 ? <p>None was opened yet.</p> : null}
      {years.map(({ year, facts }) => (
        <section key={year} className="pt-5">
          <h2>{`Opened in ${year}`}</h2>
          <FactList facts={facts} />
        </section>
      ))}
    </AccountPage>
  );
}
