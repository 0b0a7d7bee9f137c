// Why a followed vehicle's due date is what it is, in a sentence for its followers.
import { sql } from 'kysely';
import { outcomeOfVisit } from '#app/recording/own-visit.server.ts';
import { listedWords } from '#app/visits/visit-outcome.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';
import { newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { rulingVisit } from '#app/vehicles/due-date.server.ts';

/** What the due date rests on, and a newer visit that changes nothing. '' where there is nothing to say. */
export async function dueCause(tx: Tx, vehicleId: string): Promise<string> {
  const ruling = await rulingVisit(tx, vehicleId);
  return [rulingWords(ruling), await newerWords(tx, vehicleId, ruling?.visitedOn)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function rulingWords(ruling: Awaited<ReturnType<typeof rulingVisit>>): string {
  if (ruling === undefined) return '';
  if (ruling.dueOn !== ruling.ownDueOn) return 'An administrator set the due date by hand.';
  const day = formatDay(ruling.visitedOn);
  switch (ruling.state) {
    case 'counts':
      return `The due date is that of the visit of ${day}, which counts.`;
    case 'accepted':
      return `The due date is that of the visit of ${day}, which an administrator accepted.`;
    default:
      return 'The due date is that of before visits were checked.';
  }
}

// A visit that waits or was set aside, not older than the one that rules. Its words are public.
async function newerWords(tx: Tx, vehicleId: string, since: string | undefined): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from visit
    where vehicle_id = ${vehicleId}::uuid and state in ('waits', 'set-aside')
      and visited_on >= coalesce(${since ?? null}::date, '-infinity')
    order by ${newestFirst('visit')} limit 1`.execute(tx);
  const visit = rows[0] === undefined ? undefined : await findVisit(tx, rows[0].id);
  if (visit === undefined) return '';
  const state = visit.state === 'waits' ? 'waits for an administrator' : 'was set aside by an administrator';
  return `The visit of ${formatDay(visit.visitedOn)} ${state}: ${listedWords(await outcomeOfVisit(tx, visit))}`;
}
