import { href, Link } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { CALIBRATION_ATTRIBUTES } from './calibration.ts';
import { StateMark } from './visit-marks.tsx';
import type { HistoryCell, HistoryReading, HistoryVisit } from './history.ts';

// Value and unit stay on one line, at least as wide as a thumb. A second value goes below.
const VALUE = '*:whitespace-nowrap [&>a]:min-w-11 [&>a]:justify-end';

/**
 * The Calibration History: a row for each axle of each visit. `visits` are those of `page`; `total` counts all entries.
 */
export function CalibrationHistory({
  rego,
  visits,
  total,
  page,
  pages,
}: {
  rego: string;
  visits: readonly HistoryVisit[];
  total: number;
  page: number;
  pages: number;
}) {
  return (
    <Card
      title="Calibration History"
      id="history"
      aside={
        total === 0 ? null : (
          <span className="text-sm text-ink-3">{`${total} ${total === 1 ? 'entry' : 'entries'}`}</span>
        )
      }
    >
      {visits.length === 0 ? (
        <p className="px-5 py-8 text-center text-ink-2">No calibration has been recorded for this vehicle.</p>
      ) : (
        <div className="table-scroll">
          <table className="data-table">
            <caption className="sr-only">{`Calibrations of ${rego}, newest first`}</caption>
            <thead className="border-b border-line bg-sunken text-sm max-xl:text-xs print:text-sm">
              <tr className="hidden print:table-row">
                <th colSpan={5} className="pt-2 font-normal">{`Calibrations of ${rego}, newest first`}</th>
              </tr>
              <tr>
                <th scope="col" className="py-2">
                  Axle
                </th>
                {CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => (
                  <th key={attribute} scope="col" className="py-2 text-right">
                    {attribute}
                    <span className="sr-only max-row:not-sr-only">{` ${unit}`}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {visits.map((visit) => (
              <Visit key={visit.key} rego={rego} visit={visit} />
            ))}
          </table>
        </div>
      )}
      {pages > 1 ? (
        <p className="print-only hidden px-5 py-2">{`This is page ${page} of ${pages} of the history.`}</p>
      ) : null}
      {pages > 1 ? (
        <Pager
          page={page}
          pages={pages}
          label="Pages of the history"
          hrefOf={(target) => `${href('/vehicles/view/:rego', { rego })}?history=${target}#history`}
        />
      ) : null}
    </Card>
  );
}

function Visit({ rego, visit }: { rego: string; visit: HistoryVisit }) {
  return (
    <tbody>
      <tr className="border-b border-line bg-sunken">
        <th scope="rowgroup" colSpan={5} className="py-2 text-sm font-normal wrap-anywhere">
          <span className="flex items-start justify-between gap-x-4 gap-y-1 max-row:flex-col">
            <span className="min-w-0">
              <time dateTime={visit.iso} className="font-bold">
                {visit.at}
              </time>
              {visit.beside}
              {visit.photo === null ? null : (
                <>
                  {' · '}
                  <a href={visit.photo} className="inline-flex min-h-11 items-center print:min-h-0">
                    photo
                  </a>
                </>
              )}
            </span>
            {visit.state === null ? null : (
              <span className="row:max-w-3/5 row:shrink-0">
                <StateMark state={visit.state.state} word={visit.state.words} />
              </span>
            )}
          </span>
          {visit.notes === '' ? null : (
            <span className="block pt-1 whitespace-pre-line">{`Office only: ${visit.notes}`}</span>
          )}
        </th>
      </tr>
      {visit.rows.map((row, index) => (
        <tr key={index} className="border-b border-line hover:bg-hover">
          <th scope="row" className="text-sm max-xl:text-xs print:text-sm">
            {row.axle}
          </th>
          {row.readings.map((cell, column) => (
            <td key={column} className={`text-right max-row:text-sm max-[374.98px]:text-xs ${VALUE}`}>
              <Cell rego={rego} axle={row.axle} cell={cell} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ rego, axle, cell }: { rego: string; axle: string; cell: HistoryCell }) {
  if (cell.length === 0) return <span className="inline-flex min-h-11 items-center text-ink-3 print:min-h-0">N/A</span>;
  return cell.map((reading) => <Value key={reading.id} rego={rego} axle={axle} reading={reading} />);
}

function Value({ rego, axle, reading }: { rego: string; axle: string; reading: HistoryReading }) {
  const { attribute, id, value, unit, superseded } = reading;
  const shown = (
    <>
      {value} <span className="max-row:sr-only">{unit}</span>
    </>
  );
  return (
    <Link
      to={href('/calibrations/:rego/:id', { rego, id: String(id) })}
      className={`inline-flex min-h-11 items-center gap-1 print:min-h-0 ${superseded ? 'ml-2 text-ink-3' : ''}`}
      aria-label={`${axle}, ${attribute}: ${value} ${unit}${superseded ? ', corrected since' : ''}`}
    >
      {superseded ? <s>{shown}</s> : shown}
    </Link>
  );
}
