// The data of the dashboard: counts, verdicts, months, and readings of the signed-in technician.
import { may, type Role } from '#app/access/permissions.ts';
import { countDoneCheckVisits } from '#app/check-visits/queries.server.ts';
import { recordedBy } from '#app/readings/recorded-by.server.ts';
import { addDays, formatInstant, instantOfDay, todayIn, zoneName } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { ownHref } from '#app/vehicles/list-query.ts';
import { isOf } from '#app/vehicles/own-vehicles.server.ts';
import { countByVerdict, sumOf } from '#app/vehicles/verdict-sql.server.ts';
import { countWaiting } from '#app/visit-queue/queue-page.server.ts';
import { changeOf, type Change } from './change.ts';
import { COUNTED_DAYS, countCalibrationsBetween, COUNTS } from './dashboard-counts.server.ts';
import { listToConfirm } from './to-confirm.server.ts';
import { listNeedsAttention } from './needs-attention.server.ts';

export type Widget = { type: keyof typeof COUNTS; now: number; change: Change };
export type MonthBar = { month: string; calibrations: number };
/**
 * `since`: the activity log's size before the other reads; live updates begin there. `own`: the person's latest
 * readings (none in the office), and `ownTotal` how many there are.
 */
export type DashboardPage = Awaited<ReturnType<typeof dashboardPage>>;

const WIDGETS = {
  office: ['admin', 'vehicle', 'application', 'technician'],
  own: ['vehicle', 'calibration'],
} as const satisfies Record<string, readonly Widget['type'][]>;
const MONTHS = 12;
const LATEST = 5;
const DUE = ['overdue', 'due-soon'] as const;

/** The dashboard of the person `personId` in `role`. */
export async function dashboardPage(
  { db, config, now }: Pick<Services, 'db' | 'now'> & { config: Pick<Services['config'], 'timeZone'> },
  { role, personId }: { role: Role; personId: string },
) {
  const { since, policy } = await policyAndLogSize(db);
  const isOffice = may(role, 'read people');
  const at = now();
  const today = todayIn(config.timeZone, at);
  const then = new Date(at.getTime() - COUNTED_DAYS * 86_400_000);
  const widget = async (type: Widget['type']): Promise<Widget> => {
    const count = await COUNTS[type](db, then, personId);
    return { type, now: count.now, change: changeOf(count) };
  };
  const months = monthsUntil(today);
  const bounds = [...months, addDays(today, 1)].map((day) => instantOfDay(day, config.timeZone));
  const [widgets, verdicts, attention, perMonth, own, ofOwn, visitsWaiting, checkVisits, toConfirm] = await Promise.all(
    [
      Promise.all(WIDGETS[isOffice ? 'office' : 'own'].map(widget)),
      countByVerdict(db, undefined, { today, policy }),
      listNeedsAttention(db, today, policy),
      countCalibrationsBetween(db, bounds),
      isOffice ? { items: [], total: 0 } : recordedBy({ db, config }, personId, { page: 1, perPage: LATEST }),
      isOffice ? null : countByVerdict(db, isOf(personId), { today, policy }),
      may(role, 'read visits') ? countWaiting(db) : 0,
      may(role, 'read visits') ? countDoneCheckVisits(db, at) : null,
      may(role, 'change policy') ? listToConfirm(db, personId) : [],
    ],
  );
  return {
    since,
    policy: { version: policy.version, dueSoonDays: policy.dueSoonDays },
    asAt: `${formatInstant(at, config.timeZone)} ${zoneName(at, config.timeZone)}`,
    widgets,
    verdicts,
    attention,
    perMonth: months.map((month, index): MonthBar => ({ month, calibrations: perMonth[index] ?? 0 })),
    own: own.items,
    ownTotal: own.total,
    // How many of the technician's vehicles need attention, and their list; null in the office.
    ownDue: ofOwn === null ? null : { to: ownHref(personId, DUE), count: sumOf(ofOwn, DUE) },
    // How many visits wait for an admin; 0 for a technician.
    visitsWaiting,
    // Of the last twelve months; null for a technician.
    checkVisits,
    // Empty for who may not confirm.
    toConfirm,
  };
}

/** The first days of the last twelve months, the current month last. */
function monthsUntil(today: string): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(year, month - MONTHS + index, 1)).toISOString().slice(0, 10),
  );
}
