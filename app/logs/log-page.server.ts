// The data of the log's page.
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { listActivities } from './list-activities.server.ts';
import { logFilter } from './log-filter.server.ts';
import { parseLogQuery } from './log-query.ts';
import { presentActivity } from './present-activity.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';

/** `since`: the log's size before the other reads; live updates begin there. */
export type LogPage = Awaited<ReturnType<typeof logPage>>;

export async function logPage({ db, config, now }: Services, url: URL) {
  const query = parseLogQuery(url.searchParams);
  const since = await logSize(db);
  const today = todayIn(config.timeZone, now());
  const filter = await logFilter(db, query, config.timeZone);
  const { items, page, pages, total } = filter.ok
    ? await listActivities(db, filter.where, query.page)
    : { items: [], page: 1, pages: 1, total: 0 };
  return {
    since,
    today,
    query: { ...query, page },
    errors: filter.ok ? {} : filter.errors,
    pages,
    total,
    rows: items.map((activity) => presentActivity(activity, config.timeZone)),
  };
}
