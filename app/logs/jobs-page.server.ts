// What /settings/jobs shows: the work that the leader does again and again, and how its last run ended.
import type { Db } from '#app/platform/database/database.server.ts';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { durationWords } from '#app/platform/time/duration.ts';

/** `error`: of the last run; null: it succeeded. */
export type ShownJob = { name: string; every: string; last: string; node: string; error: string | null };

/** Those that failed first, then by name. */
export async function listJobs(db: Db, zone: string): Promise<ShownJob[]> {
  const jobs = await db.selectFrom('job').selectAll().orderBy('name').execute();
  const shown = jobs.map(({ name, everyMs, node, ranAt, error }) => ({
    name,
    every: everyMs < 60_000 ? `${everyMs / 1000} seconds` : durationWords(everyMs),
    last: formatInstant(ranAt, zone),
    node,
    error,
  }));
  return [...shown.filter(({ error }) => error !== null), ...shown.filter(({ error }) => error === null)];
}
