// Everything the page of the log shows, in words.
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { listActivities } from './list-activities.server.ts';
import { logFilter, type LogErrors } from './log-filter.server.ts';
import { parseLogQuery } from './log-query.ts';
import { presentActivity } from './present-activity.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';

export type LogPage = Awaited<ReturnType<typeof logPage>>;

const NO_ERRORS: LogErrors = {};

/** Answers the parameters of `url`. `since` is the log's size before the reads: where live updates begin. */
export async function logPage({ db, config, now }: Services, url: URL) {
  const query = parseLogQuery(url.searchParams);
  const since = await logSize(db);
  const today = todayIn(config.timeZone, now());
  const filter = await logFilter(db, query, config.timeZone);
  if (!filter.ok)
    return { since, today, query: { ...query, page: 1 }, errors: filter.errors, pages: 1, total: 0, rows: [] };
  const { items, page, pages, total } = await listActivities(db, filter.where, query.page);
  return {
    since,
    today,
    query: { ...query, page },
    errors: NO_ERRORS,
    pages,
    total,
    rows: items.map((activity) => presentActivity(activity, config.timeZone)),
  };
}
