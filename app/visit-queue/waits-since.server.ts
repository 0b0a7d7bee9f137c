import { sql } from 'kysely';
import { isCovered } from '#app/transparency-log/weighed-places.server.ts';

/**
 * When the visit `v` began to wait, as SQL: where a withdrawal of its weighbridge or a correction made it wait, it did
 * not before.
 */
export const SINCE = sql<Date>`coalesce((select min(w.confirmed_at) from reference_withdrawal w
  where v.state = 'waits' and v.before_recall is not null and ${isCovered('v')} and w.lifted_at is null), v.waits_since, v.closed_at)`;
