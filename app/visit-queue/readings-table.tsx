import { CALIBRATION_ATTRIBUTES, formatValue } from '#app/readings/calibration.ts';
import { attributeWords } from '#app/readings/reading-words.ts';
import type { HistoryCell, HistoryRow } from '#app/visits/history.ts';
import { LineChart } from '#app/readings/line-chart.tsx';
import type { ShownLines } from '#app/readings/present-lines.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import type { LeadAxle } from './visit-lines.server.ts';
import type { VisitPage } from './visit-page.server.ts';

const HEAD = 'border-b border-line bg-sunken text-sm';
const ROW = 'border-b border-line last:border-b-0 max-row:text-sm';
const LABEL = 'py-1.5 text-sm sm:whitespace-nowrap';
const DIFFERS = 'max-sm:hidden text-right whitespace-nowrap';
const VALUE = 'text-right whitespace-nowrap';

/** The axle that failed: its line over the earlier ones, and its readings beside those of the calibration before. */
export function LeadLine({ lead, lines, row }: { lead: LeadAxle; lines: ShownLines; row: HistoryRow | undefined }) {
  const line = lines.lines.find(({ axle }) => axle === lead.axle);
  if (line === undefined) return null;
  const axes = lines.lines.find(({ unit }) => unit === line.unit)?.axes ?? null;
  return (
    <section aria-label={line.label} className="grid items-start sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="px-5 pt-3 pb-2">
        <LineChart line={{ ...line, axes }} />
        <p className="text-sm text-ink-2">{line.agreement.sentence}</p>
      </div>
      <table className="data-table text-sm whitespace-nowrap max-sm:border-t max-sm:border-line sm:mt-3 sm:border-l sm:border-line">
        <caption className="sr-only">{`Readings of ${line.label}`}</caption>
        <thead className={HEAD}>
          <tr>
            <th scope="col" className="py-2">
              {line.label}
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              {lead.before === null ? 'None before' : lead.before.day}
            </th>
            <th scope="col" className="py-2 text-right">
              Now
            </th>
          </tr>
        </thead>
        <tbody>
          {CALIBRATION_ATTRIBUTES.map(({ attribute, unit }, place) => (
            <tr key={attribute} className={ROW}>
              <th scope="row" className={`${LABEL} font-normal`}>
                {line.unit === 'V' || unit === 'kg' ? `${attribute} ${unit}` : attributeWords(attribute, line.unit)}
              </th>
              <td className={`${VALUE} text-ink-2`}>
                {lead.before === null ? '' : formatValue(lead.before.readings[place] ?? '')}
              </td>
              <td className={`${VALUE} font-bold`}>
                <Cell cell={row?.readings[place] ?? []} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The readings of the visit's other axles, and what the display showed before adjustment. */
export function ReadingsTable({
  rows,
  asFound,
  differs,
  lead,
}: Pick<VisitPage, 'rows' | 'asFound' | 'differs' | 'lead'>) {
  const others = rows.filter(({ axle }) => lead === null || axle !== axleLabel(lead.axle));
  return (
    <>
      {others.length === 0 ? null : (
        <div className="table-scroll border-t border-line">
          <table className="data-table">
            <caption className="sr-only">Readings of this visit</caption>
            <thead className={HEAD}>
              <tr>
                <th scope="col" className="py-2">
                  {lead === null ? 'Axle' : 'Others'}
                </th>
                {CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => (
                  <th key={attribute} scope="col" className="py-2 text-right">
                    {`${attribute} `}
                    <span className="font-normal">{unit}</span>
                  </th>
                ))}
                <th scope="col" className={`py-2 ${DIFFERS}`}>
                  Differs by
                </th>
              </tr>
            </thead>
            <tbody>
              {others.map((row, place) => (
                <tr key={`${row.axle} ${place}`} className={ROW}>
                  <th scope="row" className={LABEL}>
                    {row.axle}
                    {differs[row.axle] === undefined ? null : (
                      <span className="block font-normal text-ink-2 sm:hidden">{`${differs[row.axle]} apart`}</span>
                    )}
                  </th>
                  {row.readings.map((cell, column) => (
                    <td key={column} className={VALUE}>
                      <Cell cell={cell} />
                    </td>
                  ))}
                  <td className={DIFFERS}>{differs[row.axle] ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {asFound.length === 0 ? null : (
        <p className="border-t border-line px-5 py-2 text-sm text-ink-2">
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

function Cell({ cell }: { cell: HistoryCell }) {
  return cell.map(({ id, value, superseded }) =>
    superseded ? (
      <s key={id} className="block text-ink-3">
        {value}
      </s>
    ) : (
      <span key={id} className="block">
        {value}
      </span>
    ),
  );
}
