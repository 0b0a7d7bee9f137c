import { CALIBRATION_ATTRIBUTES, formatValue } from '#app/calibrations/calibration.ts';
import type { VisitPage } from './visit-page.server.ts';

/** The readings of the visit by axle, and what the display showed before adjustment. */
export function ReadingsTable({ rows, asFound }: Pick<VisitPage, 'rows' | 'asFound'>) {
  return (
    <>
      <div className="table-scroll border-t border-line">
        <table className="data-table">
          <caption className="sr-only">Readings of this visit</caption>
          <thead className="border-b border-line bg-sunken text-sm">
            <tr>
              <th scope="col" className="py-2">
                Axle
              </th>
              {CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => (
                <th key={attribute} scope="col" className="py-2 text-right">
                  {`${attribute} `}
                  <span className="font-normal">{unit}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ axle, readings }, place) => (
              <tr key={`${axle} ${place}`} className="border-b border-line last:border-b-0 max-row:text-sm">
                <th scope="row" className="py-2.5 text-sm">
                  {axle}
                </th>
                {readings.map((cell, column) => (
                  <td key={column} className="text-right whitespace-nowrap">
                    {cell.map(({ id, value, superseded }) =>
                      superseded ? (
                        <s key={id} className="block text-ink-3">
                          {value}
                        </s>
                      ) : (
                        <span key={id} className="block">
                          {value}
                        </span>
                      ),
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asFound.length === 0 ? null : (
        <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
          <b className="text-ink">As found: </b>
          {asFound
            .map(
              ({ axle, empty, loaded }) =>
                `${axle} ${[empty === null ? '' : `empty ${formatValue(empty)} kg`, loaded === null ? '' : `loaded ${formatValue(loaded)} kg`].filter((words) => words !== '').join(', ')}`,
            )
            .join('; ')}
          .
        </p>
      )}
    </>
  );
}
