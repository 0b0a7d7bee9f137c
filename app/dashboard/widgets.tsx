// The dashboard's counts.
import Gauge from 'lucide-react/icons/gauge';
import HardHat from 'lucide-react/icons/hard-hat';
import Inbox from 'lucide-react/icons/inbox';
import TrendingDown from 'lucide-react/icons/trending-down';
import TrendingUp from 'lucide-react/icons/trending-up';
import Truck from 'lucide-react/icons/truck';
import Users from 'lucide-react/icons/users';
import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router';
import { mayOpen } from '#app/access/pages.ts';
import { useMay } from '#app/access/use-may.tsx';
import type { Widget } from './dashboard-page.server.ts';

const KINDS = {
  admin: { title: 'Admins', icon: Users, list: '/admins' },
  vehicle: { title: 'Vehicles', icon: Truck, list: '/vehicles' },
  application: { title: 'Applications', icon: Inbox, list: '/applications' },
  technician: { title: 'Technicians', icon: HardHat, list: '/technicians' },
  calibration: { title: 'Your calibrations', icon: Gauge, list: '/my-calibrations' },
} as const satisfies Record<Widget['type'], { title: string; icon: LucideIcon; list: string }>;

const TRENDS = { up: TrendingUp, down: TrendingDown, none: undefined } as const;

export function Widgets({ widgets }: { widgets: readonly Widget[] }) {
  return (
    <ul className={`grid grid-cols-2 gap-3 ${widgets.length > 2 ? 'xl:grid-cols-4' : ''}`} aria-label="Counts">
      {widgets.map((widget) => (
        <WidgetCard key={widget.type} widget={widget} />
      ))}
    </ul>
  );
}

function WidgetCard({ widget: { type, now, change } }: { widget: Widget }) {
  const may = useMay();
  const { title, icon: Icon, list } = KINDS[type];
  const Trend = TRENDS[change.direction];
  return (
    <li className="card grid grid-cols-[1fr_auto] items-start gap-x-2 px-4 py-3.5 max-sm:grid-cols-1">
      <h2 className="flex items-center gap-2 text-sm text-ink-2">
        <Icon size={18} aria-hidden="true" />
        {title}
      </h2>
      <p className="row-start-2 text-3xl font-extrabold max-sm:row-auto sm:col-span-2">{now.toLocaleString('en-AU')}</p>
      <p className="flex items-center gap-1 text-sm font-semibold whitespace-nowrap text-ink-2 sm:justify-self-end">
        {Trend === undefined ? null : <Trend size={16} aria-hidden="true" />}
        <span aria-hidden="true">{change.text}</span>
        <span className="sr-only">{`${change.words} in 30 days`}</span>
      </p>
      {mayOpen(may, list) ? (
        <Link
          to={list}
          className="inline-flex min-h-11 items-center self-end font-semibold"
          aria-label={`See all ${title.toLowerCase()}`}
        >
          See all
        </Link>
      ) : (
        <span className="min-h-11" />
      )}
      <span className="flex min-h-11 items-center justify-self-end text-sm text-ink-3 max-sm:hidden" aria-hidden="true">
        in 30 days
      </span>
    </li>
  );
}
