// The page of a vehicle's whole history. Anybody who opens it has all of it held against the public log at once; what
// that finds takes the tick from the vehicle's own page too.
import type { SignedIn } from '#app/access/session.server.ts';
import { keepCheck } from '#app/transparency-log/history-checks.server.ts';
import { formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { readVehiclePage } from './read-vehicle-page.server.ts';
import { shownHistory, shownVisit } from './vehicle-history.server.ts';
import { vehicleTimeline } from './vehicle-timeline.server.ts';

const VISITS_PER_PAGE = 10;

/** The history of the vehicle with this (normalised) rego, or why there is none. `asked`: its number, as typed. */
export async function historyPage(
  { db, config, now, log }: Services,
  rego: string,
  { asked, who }: { asked: string | null; who: SignedIn | null },
) {
  const found = await readVehiclePage(db, rego, 'whole');
  if (found.state !== 'live') return found;
  const { records } = found;
  const { since, policy, vehicle, mismatches, checked, readingsTotal } = records;
  const moment = now();
  await keepCheck(db, { id: vehicle.id, rego, findings: mismatches }, { before: checked, now: moment });
  if (mismatches.length > 0) log.error({ rego, findings: mismatches }, 'a vehicle’s records are not what was logged');
  const zone = config.timeZone;
  const history = shownHistory(records, zone, who);
  const pages = Math.max(1, Math.ceil(history.length / VISITS_PER_PAGE));
  const page = Math.min(Math.max(1, pageNumber(asked)), pages);
  const timeline = vehicleTimeline(records, history, { today: todayIn(zone, moment), zone, policy });
  return {
    state: 'live' as const,
    page: {
      since,
      rego: vehicle.rego,
      asAt: formatMoment(moment, zone),
      mismatches,
      visits: history.slice((page - 1) * VISITS_PER_PAGE, page * VISITS_PER_PAGE).map(shownVisit),
      // All entries.
      total: readingsTotal,
      page,
      pages,
      timeline: page === 1 ? timeline : null,
    },
  };
}

function pageNumber(text: string | null): number {
  const page = Number(text ?? '1');
  return Number.isSafeInteger(page) ? page : 1;
}
