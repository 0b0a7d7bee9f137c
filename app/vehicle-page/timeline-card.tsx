import type { ReactNode } from 'react';
import { Card } from '#app/ui/card.tsx';
import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import type { Timeline, TimelineItem, TimelineKind } from './timeline.ts';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import type { Verdict } from '#app/vehicles/verdict.ts';

/** What happened to a vehicle and its verdict, the latest first, under a strip of that time. `foot` stands below. */
export function TimelineCard({ timeline: { since, items, periods }, foot }: { timeline: Timeline; foot?: ReactNode }) {
  return (
    <Card title="History at a glance" id="timeline">
      <div className="px-5 pt-4 print:hidden">
        <Strip periods={periods} />
        <p className="flex justify-between pt-1 text-xs text-ink-3">
          <span>{since}</span>
          <span>today</span>
        </p>
      </div>
      <ol className="px-5 pt-2 pb-3">
        {items.map((item, index) => (
          <Item key={index} item={item} />
        ))}
      </ol>
      {foot}
    </Card>
  );
}

const FILLS = {
  valid: 'fill-valid',
  'due-soon': 'fill-due',
  overdue: 'fill-overdue',
  'not-validated': 'fill-unvalidated',
  'never-calibrated': 'fill-never',
} as const satisfies Record<Verdict, string>;

// Screen readers skip the bar: the list below says the same in words.
function Strip({ periods }: { periods: Timeline['periods'] }) {
  return (
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="block h-4 w-full stroke-line-strong"
      aria-hidden="true"
      focusable="false"
    >
      {periods.map(({ verdict, from, part }, index) => (
        <rect
          key={index}
          x={from.toFixed(2)}
          width={part.toFixed(2)}
          height="6"
          vectorEffect="non-scaling-stroke"
          className={FILLS[verdict]}
        />
      ))}
    </svg>
  );
}

const ICONS = {
  added: 'file-check-corner',
  visit: 'gauge',
  decision: 'check',
  validation: 'shield-check',
  certificate: 'file-check-corner',
  absence: 'x',
} as const satisfies Record<TimelineKind, RowIconName>;

function Item({ item }: { item: TimelineItem }) {
  return (
    <li className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-2 py-1.5 text-sm print:py-0.5">
      <time dateTime={item.day} className="pt-0.5 whitespace-nowrap text-ink-3">
        {item.date}
      </time>
      {item.kind === 'verdict' ? (
        <span>
          <VerdictBadge verdict={item.verdict} />
        </span>
      ) : (
        <span className="flex gap-2 pt-0.5">
          <RowIcon name={ICONS[item.kind]} className="row-icon mt-0.5 text-ink-2" />
          <span className="min-w-0 wrap-anywhere">{item.words}</span>
        </span>
      )}
    </li>
  );
}
