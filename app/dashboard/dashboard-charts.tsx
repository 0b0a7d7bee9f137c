// The charts of the dashboard: vehicles by verdict, and calibrations by month, drawn to scale with their numbers.
import { Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { VERDICTS, type Verdict } from '#app/vehicles/verdict-table.ts';
import { counted } from '#app/ui/counted.ts';
import type { DashboardPage, MonthBar } from './dashboard-page.server.ts';

const FILLS = {
  valid: 'fill-valid',
  'due-soon': 'fill-due',
  overdue: 'fill-overdue',
  'not-validated': 'fill-unvalidated',
  'never-calibrated': 'fill-[url(#hatch)]',
} as const satisfies Record<Verdict, string>;

/** The registry's vehicles by verdict, each a link to the list of them. */
export function VerdictCard({ verdicts }: { verdicts: DashboardPage['verdicts'] }) {
  const shown = VERDICTS.toReversed().map(({ verdict }) => ({ verdict, count: verdicts[verdict] }));
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={`${counted(total, 'vehicle', 'vehicles')} by verdict`} id="verdicts">
      <div className="px-4 py-3.5">
        <VerdictBar counts={shown} total={total} />
        <ul className="pt-2">
          {shown.map(({ verdict, count }) => (
            <li key={verdict} className="border-b border-line last:border-b-0">
              <Link
                to={`/vehicles?verdict=${verdict}`}
                className="quiet-link flex min-h-11 items-center justify-between gap-3 hover:bg-hover"
              >
                <VerdictBadge verdict={verdict} />
                <span className="text-lg font-bold">{count.toLocaleString('en-AU')}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

const BAR_WIDTH = 1000;
const GAP = 6;
// The smallest width of a share, so that one vehicle is visible too.
const LEAST = 12;

function VerdictBar({ counts, total }: { counts: readonly { verdict: Verdict; count: number }[]; total: number }) {
  const present = counts.filter(({ count }) => count > 0);
  const room = BAR_WIDTH - GAP * Math.max(0, present.length - 1) - LEAST * present.length;
  const widths = present.map(({ count }) => LEAST + (room * count) / total);
  const leftOf = (place: number) => widths.slice(0, place).reduce((sum, width) => sum + width + GAP, 0);
  return (
    <svg viewBox={`0 0 ${BAR_WIDTH} 22`} preserveAspectRatio="none" className="h-5.5 w-full" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="14" className="stroke-ink-2" strokeWidth="6" />
        </pattern>
      </defs>
      {present.length === 0 ? <rect width={BAR_WIDTH} height="22" className="fill-line" /> : null}
      {present.map(({ verdict }, place) => (
        <rect key={verdict} x={leftOf(place)} width={widths[place]} height="22" className={FILLS[verdict]} />
      ))}
    </svg>
  );
}

const BAR_HEIGHT = 100;

/** Calibrations recorded in each of the last twelve months; a phone shows six. */
export function MonthsCard({ months }: { months: readonly MonthBar[] }) {
  const most = Math.max(1, ...months.map(({ calibrations }) => calibrations));
  return (
    <Card title="Calibrations per month" id="months">
      <ol className="grid grid-cols-6 items-end gap-2 px-4 pt-4 pb-3 text-center sm:grid-cols-12">
        {months.map(({ month, calibrations }) => (
          <li key={month} className="max-sm:nth-[-n+6]:hidden">
            <span className="sr-only">{`${monthName(month)} ${month.slice(0, 4)}: ${calibrations.toLocaleString('en-AU')}`}</span>
            <div aria-hidden="true">
              <span className="block text-xs text-ink-2">{COMPACT.format(calibrations)}</span>
              <svg viewBox={`0 0 10 ${BAR_HEIGHT}`} preserveAspectRatio="none" className="my-1 h-24 w-full">
                <rect
                  y={BAR_HEIGHT - height(calibrations, most)}
                  width="10"
                  height={height(calibrations, most)}
                  className="fill-accent"
                />
                <rect y={BAR_HEIGHT - 1} width="10" height="1" className="fill-line-strong" />
              </svg>
              <span className="block text-xs text-ink-3">{monthName(month).slice(0, 3)}</span>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

// At least 2, so that one calibration is visible too.
const height = (calibrations: number, most: number) =>
  calibrations === 0 ? 0 : Math.max(2, (BAR_HEIGHT * calibrations) / most);

// Made once: each takes longer to make than all months take to write.
const COMPACT = new Intl.NumberFormat('en-AU', { notation: 'compact' });
const MONTH = new Intl.DateTimeFormat('en-AU', { month: 'long', timeZone: 'UTC' });

const monthName = (day: string) => MONTH.format(new Date(`${day}T00:00:00Z`));
