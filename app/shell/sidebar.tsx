import CircleUser from 'lucide-react/icons/circle-user';
import ClipboardCheck from 'lucide-react/icons/clipboard-check';
import GitCompare from 'lucide-react/icons/git-compare';
import Flag from 'lucide-react/icons/flag';
import Gauge from 'lucide-react/icons/gauge';
import HardHat from 'lucide-react/icons/hard-hat';
import Inbox from 'lucide-react/icons/inbox';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import ListChecks from 'lucide-react/icons/list-checks';
import LogOut from 'lucide-react/icons/log-out';
import MessageSquare from 'lucide-react/icons/message-square';
import Scale from 'lucide-react/icons/scale';
import ScanSearch from 'lucide-react/icons/scan-search';
import ScrollText from 'lucide-react/icons/scroll-text';
import Search from 'lucide-react/icons/search';
import Settings from 'lucide-react/icons/settings';
import Smartphone from 'lucide-react/icons/smartphone';
import Truck from 'lucide-react/icons/truck';
import Users from 'lucide-react/icons/users';
import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { NavLink, useFetcher } from 'react-router';
import { mayOpen } from '#app/access/pages.ts';
import type { Permission } from '#app/access/permissions.ts';
import { useMay } from '#app/access/use-may.tsx';
import type { Waiting } from './count-waiting.server.ts';
import { Brand } from './site-header.tsx';
import { failureText, type FormAnswer } from '#app/ui/form-answer.ts';
import { showToast } from '#app/ui/toasts.ts';

export const SIDEBAR_ID = 'sidebar';

/** Shown to whom may open it. `of`: and has this permission, where the page is open to more than it is of use to. */
type Item = { to: string; label: string; icon: LucideIcon; of?: Permission };
const GROUPS: readonly { title: string; items: readonly Item[] }[] = [
  { title: 'MAIN', items: [{ to: '/dashboard', label: 'Dashboard', icon: LayoutDashboard }] },
  {
    title: 'LISTS',
    items: [
      { to: '/find', label: 'Find', icon: Search },
      { to: '/vehicles', label: 'Vehicles', icon: Truck },
      { to: '/visits', label: 'Visits', icon: ListChecks },
      { to: '/reports', label: 'Reports', icon: Flag },
      { to: '/check-visits', label: 'Check visits', icon: ScanSearch },
      { to: '/patterns', label: 'Patterns', icon: GitCompare },
      { to: '/admins', label: 'Admins', icon: Users },
      { to: '/applications', label: 'Applications', icon: Inbox },
      { to: '/technicians', label: 'Technicians', icon: HardHat },
      { to: '/references', label: 'Weighbridges', icon: Scale },
    ],
  },
  {
    title: 'SERVICE',
    items: [
      { to: '/logs', label: 'Logs', icon: ScrollText },
      { to: '/settings', label: 'Settings', icon: Settings },
    ],
  },
  {
    title: 'USER',
    items: [
      { to: '/my-calibrations', label: 'My calibrations', icon: Gauge, of: 'record visits' },
      { to: '/my-visits', label: 'My visits', icon: ClipboardCheck, of: 'record visits' },
      { to: '/my-patterns', label: 'Questions to me', icon: MessageSquare, of: 'record visits' },
      { to: '/field', label: 'Field', icon: Smartphone, of: 'record visits' },
      { to: '/my-profile', label: 'My Profile', icon: CircleUser },
    ],
  },
];

function closeDrawer(): void {
  const drawer = document.getElementById(SIDEBAR_ID);
  if (drawer?.matches(':popover-open') === true) drawer.hidePopover();
}

/** The navigation of the back office. Its drawer is an HTML popover: Esc and a tap outside close it without scripts. */
export function Sidebar({ registryName, waiting }: { registryName: string; waiting: Waiting }) {
  const may = useMay();
  return (
    <nav id={SIDEBAR_ID} popover="auto" aria-label="Back office" className="sidebar no-print">
      <div className="px-2">
        <Brand name={registryName} />
      </div>
      {GROUPS.map(({ title, items }) => {
        const offered = items.filter(({ to, of }) => mayOpen(may, to) && (of === undefined || may(of)));
        if (offered.length === 0) return null;
        return (
          <section key={title} aria-label={title}>
            <h2 className="px-2.5 pt-3 pb-1.5 text-xs font-semibold tracking-wider text-ink-3">{title}</h2>
            <ul>
              {offered.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  {/* /field is a document of its own: the service worker answers it. */}
                  <NavLink to={to} reloadDocument={to === '/field'} className="sidebar-link" onClick={closeDrawer}>
                    <Icon size={18} aria-hidden="true" />
                    {label}
                    {(waiting[to] ?? 0) > 0 ? (
                      <span className="ml-auto rounded-full bg-ink px-2 text-sm text-surface">
                        {(waiting[to] ?? 0) > 999 ? '999+' : waiting[to]}
                        <span className="sr-only"> waiting</span>
                      </span>
                    ) : null}
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <Logout />
    </nav>
  );
}

function Logout() {
  const { Form, data, state } = useFetcher<FormAnswer>();
  useEffect(() => {
    if (data?.failure !== undefined && state === 'idle') showToast({ kind: 'error', text: failureText(data.failure) });
  }, [data, state]);
  return (
    <Form method="post" action="/logout" className="mt-auto pt-4">
      <button type="submit" className="sidebar-link">
        <LogOut size={18} aria-hidden="true" />
        Logout
      </button>
    </Form>
  );
}
