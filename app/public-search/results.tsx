import { ChevronRight, FileCheck2, SearchX } from 'lucide-react';
import { href, Link } from 'react-router';
import { Pager } from '#app/ui/pager.tsx';
import type { ListedRow } from '#app/vehicles/listed-vehicle.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import type { SearchResults } from './search-results.ts';

/** What was found for the text, or what to do when nothing was. `path` is the page that asks. */
export function Results({ results, path }: { results: SearchResults; path: string }) {
  if (results.kind === 'empty') return null;
  if (results.kind === 'unsearchable') return <NothingToSearch text={results.text} path={path} />;
  if (results.kind === 'none') return <NoMatch text={results.text} path={path} />;
  const { text, total, rows, page, pages, asAt } = results;
  return (
    <section className="card" aria-labelledby="results">
      <header className="flex flex-wrap items-center justify-between gap-x-4 px-5 py-4 max-row:px-4">
        <h1
          id="results"
          className="text-lg"
          aria-live="polite"
        >{`${total.toLocaleString('en-AU')} ${total === 1 ? 'vehicle matches' : 'vehicles match'} “${text}”`}</h1>
        <p className="text-sm text-ink-3">{`As at ${asAt}`}</p>
      </header>
      <ResultsTable rows={rows} />
      <Pager
        page={page}
        pages={pages}
        label="Pages of results"
        hrefOf={(target) => `${path}?q=${encodeURIComponent(text)}${target === 1 ? '' : `&page=${target}`}`}
      />
    </section>
  );
}

const WIDE = 'max-row:hidden';
const CELL = 'px-3 py-2 first:pl-5 last:pr-5 max-row:first:pl-4 max-row:last:pr-4';

function ResultsTable({ rows }: { rows: readonly ListedRow[] }) {
  return (
    <div className="table-scroll">
      <table className="w-full border-collapse">
        <caption className="sr-only">Vehicles that match</caption>
        <thead className="border-y border-line bg-sunken text-sm">
          <tr>
            <th scope="col" className={CELL}>
              Rego
            </th>
            <th scope="col" className={`${CELL} max-vin:hidden`}>
              VIN
            </th>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Warranty Expiry
            </th>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Scale Serial Number
            </th>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Valid Calibration
            </th>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Certificate
            </th>
            <th scope="col" className={`${CELL} text-right`}>
              Action
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.rego} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { row: ListedRow }) {
  const page = href('/vehicles/view/:rego', { rego: row.rego });
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-hover">
      <th scope="row" className={`${CELL} align-top font-normal`}>
        <div className="flex flex-wrap items-center gap-2">
          <Link to={page} className="quiet-link inline-flex min-h-11 items-center">
            <RegoChip rego={row.rego} />
          </Link>
          <span className="hidden max-row:inline-flex">
            <ValidCalibrationBadge verdict={row.verdict} />
          </span>
        </div>
        <SecondLines row={row} />
      </th>
      <td className={`${CELL} font-mono text-sm max-vin:hidden`}>{row.vin === '' ? 'N/A' : row.vin}</td>
      <td className={`${CELL} ${WIDE}`}>{row.warrantyExpiry ?? 'N/A'}</td>
      <td className={`${CELL} ${WIDE}`}>{row.scaleSerialNumber === '' ? 'N/A' : row.scaleSerialNumber}</td>
      <td className={`${CELL} ${WIDE}`}>
        <ValidCalibrationBadge verdict={row.verdict} />
      </td>
      <td className={`${CELL} ${WIDE}`}>
        {row.certificateHref === null ? (
          <span className="text-ink-3">N/A</span>
        ) : (
          <a
            href={row.certificateHref}
            className="inline-flex min-h-11 items-center"
            rel="noreferrer"
            aria-label={`View certificate of ${row.rego}`}
          >
            View
          </a>
        )}
      </td>
      <td className={`${CELL} text-right align-top`}>
        <Link
          to={page}
          className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap"
          aria-label={`View ${row.rego}`}
        >
          View
          <ChevronRight size={20} aria-hidden="true" />
        </Link>
      </td>
    </tr>
  );
}

// On a phone the hidden columns' content stays, as lines under the rego: the VIN shows why a row matched.
function SecondLines({ row }: { row: ListedRow }) {
  return (
    <div className="hidden pb-1 text-sm leading-6 text-ink-2 max-vin:block">
      <div>
        VIN <span className="font-mono">{row.vin === '' ? 'N/A' : row.vin}</span>
      </div>
      <div className="hidden max-row:block">{`Serial ${row.scaleSerialNumber === '' ? 'N/A' : row.scaleSerialNumber}`}</div>
      <div className="hidden max-row:block">{`Warranty ${row.warrantyExpiry ?? 'N/A'}`}</div>
      <div className="hidden max-row:block">
        {row.certificateHref === null ? (
          'Certificate N/A'
        ) : (
          <a href={row.certificateHref} rel="noreferrer" className="inline-flex min-h-11 items-center gap-2">
            <FileCheck2 size={20} aria-hidden="true" />
            View certificate
          </a>
        )}
      </div>
    </div>
  );
}

function NoMatch({ text, path }: { text: string; path: string }) {
  return (
    <Empty title={`No vehicle matches “${text}”`} path={path}>
      <p className="pt-2">Check for O and 0, or I and 1. You can also search by part of the VIN.</p>
      <p className="pt-2">
        A truck that is not listed has no calibration in this registry. That does not show whether its scale is right or
        wrong.
      </p>
    </Empty>
  );
}

function NothingToSearch({ text, path }: { text: string; path: string }) {
  return (
    <Empty title="Type letters or digits to search" path={path}>
      <p className="pt-2">{`“${text}” holds none. A rego or VIN has letters A to Z and digits 0 to 9.`}</p>
    </Empty>
  );
}

function Empty({ title, path, children }: { title: string; path: string; children: React.ReactNode }) {
  return (
    <section className="card px-5 py-12 text-center" aria-labelledby="results">
      <SearchX size={36} className="mx-auto text-ink-3" aria-hidden="true" />
      <h1 id="results" className="pt-3 text-lg break-words" aria-live="polite">
        {title}
      </h1>
      <div className="mx-auto max-w-105 text-ink-2">{children}</div>
      <Link to={path} className="mt-3 inline-flex min-h-11 items-center font-semibold">
        Clear search
      </Link>
    </section>
  );
}
