import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { ShownRecord } from './finding-page.server.ts';

/** The visits that a finding rests on. `linked`: each leads to the page where an admin decides about it. */
export function RecordsSideBySide({ records, linked }: { records: readonly ShownRecord[]; linked: boolean }) {
  if (records.length === 0)
    return (
      <p className="px-5 py-4 text-ink-2">
        It rests on no single visit: it counts all that this technician recorded in the twelve months.
      </p>
    );
  return (
    <div className="table-scroll border-t border-line">
      <table className="data-table">
        <caption className="sr-only">The records side by side</caption>
        <thead className="border-b border-line bg-sunken text-sm">
          <tr>
            <th scope="col">Axle</th>
            {CALIBRATION_ATTRIBUTES.map(({ attribute }) => (
              <th key={attribute} scope="col" className="text-right">
                {attribute}
              </th>
            ))}
            <th scope="col" className="text-right">
              As found
            </th>
          </tr>
        </thead>
        {records.map(({ id, rego, at, technician, place, ticket, make, axles }) => (
          <tbody key={id} className="border-b border-line last:border-b-0">
            <tr>
              <th scope="rowgroup" colSpan={CALIBRATION_ATTRIBUTES.length + 2} className="pt-3 font-normal">
                <span className="sticky left-5 flex max-w-[calc(100vw-4.5rem)] flex-wrap items-center gap-x-3">
                  {linked ? (
                    <a href={`/visits/${id}`} className="quiet-link inline-flex min-h-11 items-center">
                      <RegoChip rego={rego} />
                      <span className="sr-only">{`, visit of ${at}`}</span>
                    </a>
                  ) : (
                    <RegoChip rego={rego} />
                  )}
                  {at}
                  <span className="text-ink-2">
                    {[technician, make, place, ticket === '' ? '' : `ticket ${ticket}`].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </th>
            </tr>
            {axles.map(({ label, cells, found }) => (
              <tr key={label}>
                <td className="py-2">{label}</td>
                {cells.map((cell, column) => (
                  <td key={column} className="py-2 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ))}
                <td className="py-2 text-right text-sm whitespace-nowrap">{found}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
