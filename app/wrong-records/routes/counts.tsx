// /reports/counts: how many reports there were, of what, and what came of them. Under five is not told.
import { sql } from 'kysely';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { Card } from '#app/ui/card.tsx';
import { publicCount } from '#app/ui/counted.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { titled } from '#app/ui/page-title.ts';
import { useSite } from '#app/ui/site.ts';
import type { ReportDecision, ReportKind } from '#database/report-tables.ts';
import { DECISIONS, KINDS } from '../report.ts';
import type { Route } from './+types/counts';

export const meta = titled('Reports of wrong records');

type Counted = { year: number; kind: ReportKind; decision: ReportDecision | null; n: number };

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { rows } = await sql<Counted>`select extract(year from opened_on)::int as year, kind, decision, count(*) as n
    from wrong_report where opened_on is not null group by 1, 2, 3`.execute(db);
  const years = [...new Set(rows.map(({ year }) => year))].toSorted((a, b) => b - a);
  return years.map((year) => {
    const of = (fits: (row: Counted) => boolean) =>
      publicCount(rows.reduce((sum, row) => (row.year === year && fits(row) ? sum + row.n : sum), 0));
    return {
      year: String(year),
      facts: [
        { label: 'Opened', value: of(() => true) },
        ...KINDS.map(({ value, label }) => ({ label, value: of(({ kind }) => kind === value) })),
        ...DECISIONS.map(({ value, label }) => ({
          label: `Decided: ${label.toLowerCase()}`,
          value: of(({ decision }) => decision === value),
        })),
      ],
    };
  });
}

export default function Counts({ loaderData: years }: Route.ComponentProps) {
  const { registryName } = useSite();
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page grid max-w-160 grid-cols-[minmax(0,1fr)] gap-5 py-6">
        <h1 className="text-2xl">Reports of wrong records</h1>
        <p>Anybody may say that a record is wrong. Somebody who had no part in the record decides.</p>
        {years.length === 0 ? <p>No report has been opened yet.</p> : null}
        {years.map(({ year, facts }) => (
          <Card key={year} title={`Opened in ${year}`}>
            <FactList facts={facts} />
          </Card>
        ))}
      </main>
    </>
  );
}
