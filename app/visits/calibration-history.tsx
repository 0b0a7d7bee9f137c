import { Fragment, type ReactNode } from 'react';
import { href } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { useFollowLink } from '#app/ui/follow-link.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { RecorderLink } from '#app/readings/recorder-name.tsx';
import { StateMark } from './visit-marks.tsx';
import type { HistoryReading, ShownVisit } from './history.ts';

/** The Calibration History: a row for each axle of each visit. `total` counts all entries; `foot`: below the visits. */
export function CalibrationHistory({
  rego,
  title = 'Calibration History',
  visits,
  total,
  foot,
}: {
  rego: string;
  title?: string;
  visits: readonly ShownVisit[];
  total: number;
  foot: ReactNode;
}) {
  return (
    <Card
      title={title}
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
      {foot}
    </Card>
  );
}

function Visit({ rego, visit }: { rego: string; visit: ShownVisit }) {
  const followLink = useFollowLink();
  return (
    <tbody>
      <tr className="history-visit">
        <th scope="rowgroup" colSpan={5}>
          <span>
            <span>
              <time dateTime={visit.iso}>{visit.at}</time>
              {visit.imported ? ' (imported)' : ''}
              {visit.recorder === null ? null : (
                <>
                  {' by '}
                  <RecorderLink recorder={visit.recorder} />
                </>
              )}
              {visit.beside}
              {visit.photos.map((photo, place) => (
                <Fragment key={photo}>
                  {' · '}
                  <a href={photo} className="inline-flex min-h-11 items-center print:min-h-0">
                    {place === 0 ? 'photo' : `photo ${place + 1}`}
                  </a>
                </Fragment>
              ))}
            </span>
            {visit.state === null ? null : (
              <span>
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
        <tr key={index} className="history-row" onClick={followLink}>
          <th scope="row">{row.axle}</th>
          {row.readings.map((cell, column) => (
            <td key={column}>
              {cell.length === 0 ? (
                <span className="text-ink-3">N/A</span>
              ) : (
                cell.map((reading) => valueOf(rego, row.axle, { column: CALIBRATION_ATTRIBUTES[column], ...reading }))
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

// A plain link, and no component: a <Link> for each value took 3 % of a new vehicle page.
function valueOf(
  rego: string,
  axle: string,
  {
    column,
    id,
    value,
    unit: own,
    superseded,
  }: { column: (typeof CALIBRATION_ATTRIBUTES)[number] | undefined } & HistoryReading,
) {
  if (column === undefined) return null;
  const { attribute, unit: usual } = column;
  const unit = own ?? usual;
  const words = `${axle}, ${attribute}: ${value} ${unit}`;
  const address = href('/calibrations/:rego/:id', { rego, id: String(id) });
  const shown = [`${value} `, <span key="unit">{unit}</span>];
  return superseded === true ? (
    <a key={id} href={address} className="ml-2 text-ink-3" aria-label={`${words}, corrected since`}>
      <s>{shown}</s>
    </a>
  ) : (
    <a key={id} href={address} aria-label={words}>
      {shown}
    </a>
  );
}
