import { ChartLegend, LineChart } from '#app/readings/line-chart.tsx';
import { axleLabel } from '#app/vehicles/axle.ts';
import { LeadLine, ReadingsTable } from './readings-table.tsx';
import type { VisitPage } from './visit-page.server.ts';

/** The axle that failed stands first and large, with the readings of the others; the charts of these open. */
export function LinesAndReadings({ page }: { page: VisitPage }) {
  const { lines, lead, rows } = page;
  const others = lines === null ? [] : lines.lines.filter(({ axle }) => axle !== lead?.axle);
  const led = lines?.lines.find(({ axle }) => axle === lead?.axle);
  const label = lead === null ? undefined : axleLabel(lead.axle);
  return (
    <>
      {lines === null ? (
        <p className="border-t border-line px-5 py-4 text-ink-2">The readings of this visit give no line.</p>
      ) : null}
      {lines === null || lead === null ? null : (
        <LeadLine lead={lead} lines={lines} row={rows.find(({ axle }) => axle === label)} />
      )}
      <ReadingsTable {...page} />
      {lines === null || others.length === 0 ? null : (
        <details open={lead === null} className="border-t border-line px-5 py-1.5 text-sm">
          <summary className="min-h-9 cursor-pointer py-1.5 text-ink-2">
            {`Lines of ${others.map((line) => line.label).join(', ')}`}
          </summary>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-5 gap-y-3 py-2 sm:grid-cols-2">
            {others.map((line) => (
              <section key={line.axle} aria-label={line.label}>
                <h3 className="flex flex-wrap justify-between gap-2 font-bold">
                  {line.label}
                  <span className="font-normal text-ink-2">{line.agreement.word}</span>
                </h3>
                <LineChart line={line.unit === led?.unit ? { ...line, axes: null } : line} />
                <p className="text-ink-2">{line.agreement.sentence}</p>
              </section>
            ))}
          </div>
          <ChartLegend
            hasCheck={lines.lines.some(({ chart }) => chart.check !== '')}
            hasEarlier={lines.lines.some(({ chart }) => chart.earlier !== '')}
          />
        </details>
      )}
    </>
  );
}
