import { href } from 'react-router';
import { ListTable } from '#app/ui/list-table.tsx';
import { ListLink } from '#app/ui/list-way.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import type { QueueRow } from './queue-page.server.ts';
import type { ListedState } from './visit-filter.ts';

const WIDE = 'max-lg:hidden';

/** `marked`: the row that J and K have moved to. */
export function QueueTable({
  rows,
  state,
  marked,
}: {
  rows: readonly QueueRow[];
  state: ListedState;
  marked: number | null;
}) {
  const isWaiting = state === 'waits';
  return (
    <ListTable
      caption="Visits, those that wait the longest first"
      columns={[
        ['Rego'],
        ['Visit', WIDE],
        ['Technician', WIDE],
        [isWaiting ? 'What holds it back' : 'What the checks say', WIDE],
        ['Verdict now', WIDE],
        [isWaiting ? 'Waiting' : 'Closed', 'text-right'],
      ]}
    >
      {rows.map((row, place) => (
        <tr
          key={row.id}
          className={`border-b border-line align-top last:border-b-0 hover:bg-hover ${place === marked ? 'bg-accent-soft' : ''}`}
        >
          <th scope="row" className="py-2 font-normal">
            <div className="flex flex-wrap items-center gap-x-3">
              <ListLink
                to={href('/visits/:id', { id: row.id })}
                className="quiet-link inline-flex min-h-11 items-center"
              >
                <RegoChip rego={row.rego} />
                <span className="sr-only">{`, visit of ${row.day}`}</span>
              </ListLink>
              <span className="hidden max-lg:inline-flex">
                <VerdictBadge verdict={row.verdict} />
              </span>
            </div>
            <div className="hidden gap-0.5 pb-1 text-sm max-lg:grid">
              <Held row={row} />
              <span className="text-ink-3">{`${row.day} · ${row.technician}`}</span>
            </div>
          </th>
          <td className={`${WIDE} py-4 whitespace-nowrap`}>{row.day}</td>
          <td className={`${WIDE} py-4 wrap-anywhere`}>{row.technician}</td>
          <td className={`${WIDE} py-2 text-sm`}>
            <Held row={row} />
          </td>
          <td className={`${WIDE} py-3`}>
            <VerdictBadge verdict={row.verdict} />
          </td>
          <td className="py-4 text-right whitespace-nowrap">
            {row.waited}
            {row.notYours === null ? null : <span className="block text-sm text-ink-3">Not yours</span>}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

const NOT_YOURS = {
  'own-visit': 'You recorded, captured or corrected it: another admin decides.',
  'too-new': 'An admin recorded or corrected it: one of 90 days or more decides.',
  'admitted-by-you': 'You admitted this technician lately: another admin decides.',
} as const;

function Held({ row: { held, notYours } }: { row: QueueRow }) {
  return (
    <div className="grid gap-0.5">
      {held.map(({ name, sentence }) => (
        <span key={name}>
          <span className="block font-semibold">{name}</span>
          <span className="block text-ink-2">{sentence}</span>
        </span>
      ))}
      {notYours === null ? null : <span className="text-ink-2">{NOT_YOURS[notYours]}</span>}
    </div>
  );
}
