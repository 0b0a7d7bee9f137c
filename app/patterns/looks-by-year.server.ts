// What the public is told of the looks: how many findings a year, and what came of them, up to the end of last month. A
// number under five is not told, so that nobody is recognised in it.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { publicCount } from '#app/ui/counted.ts';
import { OUTCOMES } from './finding.ts';

export type LooksOfYear = { year: string; found: string; open: string; outcomes: { words: string; count: string }[] };

/** The newest year first. `today`: by the registry's clock. */
export async function looksByYear(db: Db, today: string): Promise<LooksOfYear[]> {
  const { rows } = await sql<{ year: string; outcome: string; n: number }>`
    select to_char(found_on, 'YYYY') as year, outcome, count(*) as n from pattern_finding
    where found_on < ${`${today.slice(0, 7)}-01`}::date
    group by 1, 2`.execute(db);
  const years = [...new Set(rows.map(({ year }) => year))].toSorted().toReversed();
  return years.map((year) => {
    const of = (outcome: string) => rows.find((row) => row.year === year && row.outcome === outcome)?.n ?? 0;
    const all = rows.reduce((sum, row) => (row.year === year ? sum + row.n : sum), 0);
    return {
      year,
      found: publicCount(all),
      open: publicCount(of('')),
      outcomes: OUTCOMES.map(({ outcome, words }) => ({ words, count: publicCount(of(outcome)) })),
    };
  });
}
