import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import type { Timeline, TimelineItem, TimelineKind } from './timeline.ts';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

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
      <ol className="timeline">
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
    <li>
      <time dateTime={item.day}>{item.date}</time>
      {item.kind === 'verdict' ? (
        <span>
          <VerdictBadge verdict={item.verdict} />
        </span>
      ) : (
        <p>
          <RowIcon name={ICONS[item.kind]} className="row-icon" />
          <span>
            {item.words}
            {item.entry == null ? null : (
              <Link
                to={href('/log/entries/:index', { index: String(item.entry) })}
                className="no-print link-in-text ml-1.5 inline-flex min-h-11 items-center"
              >
                {`Log entry ${item.entry.toLocaleString('en-AU')}`}
              </Link>
            )}
            {item.bridge === undefined ? null : (
              <Link
                to={href('/references/:id', { id: item.bridge.id })}
                className="no-print link-in-text ml-1.5 inline-flex min-h-11 items-center"
              >
                See it
                <span className="sr-only">{`: ${item.bridge.name}`}</span>
              </Link>
            )}
          </span>
        </p>
      )}
    </li>
  );
}
