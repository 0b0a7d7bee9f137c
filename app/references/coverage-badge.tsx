import CalendarClock from 'lucide-react/icons/calendar-clock';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import type { CoverageState } from './reference.ts';

/** Whether a verification covers today, or the weighbridge is withdrawn, in words. */
export type ShownCoverage = { state: CoverageState | 'withdrawn'; words: string };

/** Without a colour, so that it does not look like a verdict. */
export function CoverageBadge({ coverage: { state, words } }: { coverage: ShownCoverage }) {
  if (state === 'current')
    return (
      <span className="inline-flex items-center gap-1.5 align-middle font-semibold text-ink-2">
        <Check size={18} aria-hidden="true" className="shrink-0" />
        {words}
      </span>
    );
  if (state === 'withdrawn')
    return (
      <span className="inline-flex items-center gap-1.5 rounded-full bg-ink py-0.5 pr-2.5 pl-2 align-middle text-sm font-semibold text-surface">
        <X size={18} aria-hidden="true" className="shrink-0" />
        {words}
      </span>
    );
  const Icon = state === 'ends-soon' ? CalendarClock : Minus;
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border bg-surface py-0.5 pr-2.5 pl-2 align-middle text-sm font-semibold whitespace-nowrap ${state === 'ends-soon' ? 'border-line-strong' : 'border-dashed border-ink'}`}
    >
      <Icon size={18} aria-hidden="true" className="shrink-0" />
      {words}
    </span>
  );
}
