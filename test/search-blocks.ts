import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

/** The blocks of a search (0017_search_blocks.sql) whose count is not what counting by hand gives; five at most. */
export async function wrongBlocks(db: Db) {
  const { rows } = await sql<{ gram: string; block: string; counted: number; kept: number }>`
    with counted_by_block as (
      select gram, left(rego, 2) as block, n from (
        select vehicle_grams(rego, vin) as gram, rego, 1 as n from vehicle where deleted_at is null
      ) v where length(gram) <= 2 or exists (select from vehicle_gram_common k where k.gram = v.gram)
    ), kept_by_block as (
      select gram, block, n from vehicle_gram_block
      union all
      select gram, left(rego, 2), n from (select vehicle_grams(rego, vin) as gram, rego, n from vehicle_text_change) t
      where length(gram) <= 2 or exists (select from vehicle_gram_common k where k.gram = t.gram)
    ), counted as (select gram, block, sum(n) as n from counted_by_block group by 1, 2),
    kept as (select gram, block, sum(n) as n from kept_by_block group by 1, 2)
    select gram, block, coalesce(counted.n, 0)::int as counted, coalesce(kept.n, 0)::int as kept
    from counted full join kept using (gram, block) where coalesce(counted.n, 0) <> coalesce(kept.n, 0) limit 5`.execute(
    db,
  );
  return rows;
}
