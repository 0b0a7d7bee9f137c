import { href, Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { counted } from '#app/ui/counted.ts';
import type { WithdrawalPreview } from './preview-withdrawal.server.ts';

const COLUMNS = [
  ['Rego'],
  ['Visit', 'max-row:hidden'],
  ['Verdict now'],
  ['After'],
  ['Due after', 'max-row:hidden'],
] as const;

/** What a withdrawal would change. `asAt`: the moment, in words. */
export function PreviewCard({ preview, asAt }: { preview: WithdrawalPreview; asAt: string }) {
  const { visits, trucks, fallBack, lose, near, examples } = preview;
  const facts = [
    { label: 'Visits fail', count: visits },
    { label: 'Trucks', count: trucks },
    { label: 'Due date falls back', count: fallBack },
    { label: 'No longer valid', count: lose },
  ];
  return (
    <Card title="What changes" id="preview" aside={<span className="text-sm text-ink-2">{`As at ${asAt}`}</span>}>
      <dl className="grid grid-cols-2 divide-line sm:grid-cols-4 sm:divide-x">
        {facts.map(({ label, count }) => (
          <div key={label} className="px-5 py-3">
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="text-xl font-bold">{count.toLocaleString('en-AU')}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line px-5 py-3 text-sm text-ink-2">{remark(trucks - fallBack, near)}</p>
      {examples.length === 0 ? null : (
        <ListTable caption="Some of the trucks, those whose verdict changes first" columns={COLUMNS}>
          {examples.map(({ rego, visitedOn, now, after, dueAfter }) => (
            <tr key={rego} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-2 font-normal">
                <Link
                  to={href('/vehicles/view/:rego', { rego })}
                  className="quiet-link inline-flex min-h-11 items-center"
                >
                  <RegoChip rego={rego} />
                </Link>
              </th>
              <td className="max-row:hidden">{visitedOn}</td>
              <td>
                <VerdictBadge verdict={now} />
              </td>
              <td>
                <VerdictBadge verdict={after} />
              </td>
              <td className="max-row:hidden">{dueAfter}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Card>
  );
}

function remark(unchanged: number, near: number): string {
  const trucks = `${counted(unchanged, 'truck rests', 'trucks rest')} on another visit, so their due date stays.`;
  if (near === 0) return trucks;
  return `${trucks} ${near} ${near === 1 ? 'visit' : 'visits'} dated up to 7 days outside were recorded inside this time: the page of the withdrawal lists them, to decide one by one.`;
}
