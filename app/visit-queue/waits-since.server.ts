import { sql } from 'kysely';

/**
 * When the visit `v` began to wait, as SQL: where a withdrawal of its weighbridge or a correction made it wait, it did
 * not before.
 */
export const SINCE = sql<Date>`coalesce((select min(w.confirmed_at) from reference_withdrawal w
  where v.state = 'waits' and v.before_recall is not null and w.reference_id = v.reference_id
    and v.visited_on between w.from_on and w.to_on and w.lifted_at is null), v.waits_since, v.closed_at)`;
