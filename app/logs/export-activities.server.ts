// The log as CSV: all entries that match its filters, newest first, with the specification's column names.
import { todayIn } from '#app/platform/time/calendar.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { activityWords, SYSTEM_NAME } from '#app/activity-log/activity.ts';
import { listActivitiesAfter, type LoggedActivity } from './list-activities.server.ts';
import { logFilter } from './log-filter.server.ts';
import { parseLogQuery, type LogQuery } from './log-query.ts';
import { recordOf } from './present-activity.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';

const BLOCK = 500;

const COLUMNS: readonly { name: string; of: (activity: LoggedActivity) => string | null }[] = [
  { name: 'entry', of: ({ index }) => String(index) },
  { name: 'timestamp', of: ({ occurredAt }) => occurredAt.toISOString() },
  { name: 'logged_at', of: ({ at }) => at.toISOString() },
  { name: 'origin', of: ({ origin }) => origin },
  { name: 'name', of: ({ name }) => name ?? SYSTEM_NAME },
  { name: 'email', of: ({ email }) => email },
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'action', of: activityWords },
  { name: 'details', of: ({ details }) => details },
  { name: 'record', of: (activity) => recordOf(activity)?.words ?? null },
  { name: 'changes', of: ({ changes }) => changes?.map(changeText).join('; ') ?? null },
  { name: 'erased_at', of: ({ erasedAt }) => erasedAt?.toISOString() ?? null },
];

// JSON, so that an empty text differs from null, and a text from a number.
const changeText = ({ field, from, to }: ActivityChange) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;

export function exportActivities(services: Services, url: URL): Promise<Response> {
  const today = todayIn(services.config.timeZone, services.now());
  return csvDownload(exportLines(services, parseLogQuery(url.searchParams)), `log-${today}.csv`);
}

/** Yields the file in blocks, so that a slow reader holds no database connection. An invalid query has no entries. */
export async function* exportLines(
  { db, config }: Pick<Services, 'db' | 'config'>,
  query: LogQuery,
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const filter = await logFilter(db, query, config.timeZone);
  if (!filter.ok) return;
  const size = await logSize(db);
  for (let last: number | undefined; ;) {
    const rows = await listActivitiesAfter(db, filter.where, { last, size, limit: BLOCK });
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map(({ of }) => of(row)))).join('');
    if (rows.length < BLOCK) return;
    last = rows.at(-1)?.index;
  }
}
