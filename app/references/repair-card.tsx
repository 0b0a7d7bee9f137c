import { Card } from '#app/ui/card.tsx';

/** `on`: in words. */
export type ShownRepair = { id: string; on: string; note: string };

export function RepairCard({ repairs }: { repairs: readonly ShownRepair[] }) {
  return (
    <Card title="Repairs" id="repairs">
      {repairs.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">No repair has been recorded.</p>
      ) : (
        <ul className="divide-y divide-line px-5 py-1">
          {repairs.map(({ id, on, note }) => (
            <li key={id} className="flex flex-wrap gap-x-4 py-2.5">
              <span className="w-36 shrink-0 text-ink-2">{on}</span>
              <span className="min-w-40 flex-1 font-semibold wrap-anywhere">{note}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
