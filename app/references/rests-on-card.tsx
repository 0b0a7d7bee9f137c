import { Card } from '#app/ui/card.tsx';

/** How many visits name a weighbridge, and of how many trucks. */
export type RestsOn = { visits: number; trucks: number };

/** Null: it is not known, and nothing is shown. */
export function RestsOnCard({ restsOn }: { restsOn: RestsOn | null }) {
  if (restsOn === null) return null;
  const facts = [
    { label: 'Visits that name it', count: restsOn.visits },
    { label: 'Trucks', count: restsOn.trucks },
  ];
  return (
    <Card title="What rests on it" id="rests-on">
      <dl className="grid sm:grid-cols-2 max-sm:divide-y sm:divide-x divide-line">
        {facts.map(({ label, count }) => (
          <div key={label} className="px-5 py-3 max-sm:flex max-sm:items-baseline max-sm:justify-between">
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="text-xl font-bold">{count.toLocaleString('en-AU')}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
        A visit names a weighbridge; the registry does not weigh. Each visit here is held against the period that covers
        its day.
      </p>
    </Card>
  );
}
