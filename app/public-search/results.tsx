import { RowIcon } from '#app/ui/row-icon.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { href, Link } from 'react-router';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { DidYouMean } from '#app/vehicles/did-you-mean.tsx';
import type { ListedRow } from '#app/vehicles/listed-vehicle.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import { counted } from '#app/ui/counted.ts';
import type { SearchResults } from './search-results.ts';

/** The results of a search, or advice when there are none. `path`: the page of the search. */
export function Results({ results, path }: { results: SearchResults; path: string }) {
  if (results.kind === 'empty') return null;
  if (results.kind === 'unsearchable') return <NothingToSearch text={results.text} path={path} />;
  if (results.kind === 'none') return <NoMatch {...results} path={path} />;
  const { text, total, rows, page, pages, asAt, policyVersion } = results;
  return (
    <section className="card" aria-labelledby="results">
      <header className="flex flex-wrap items-center justify-between gap-x-4 px-5 py-4 max-row:px-4">
        <h1
          id="results"
          className="min-w-0 text-lg wrap-anywhere"
          aria-live="polite"
        >{`${counted(total, 'vehicle matches', 'vehicles match')} “${text}”`}</h1>
        <p className="text-sm text-ink-3">{`As at ${asAt}`}</p>
      </header>
      <ResultsTable rows={rows} />
      <Pager
        page={page}
        pages={pages}
        label="Pages of results"
        hrefOf={(target) => `${path}?q=${encodeURIComponent(text)}${target === 1 ? '' : `&page=${target}`}`}
      />
      <p className="border-t border-line px-5 py-3 text-sm text-ink-3 max-row:px-4">
        <PolicyLine version={policyVersion} />
      </p>
    </section>
  );
}

const WIDE = 'max-row:hidden';
// Every cell is as high as one touch target; only the lines below a rego make a row higher.
const LINE = 'flex min-h-11 items-center';

const COLUMNS = [
  ['Rego'],
  ['VIN', 'max-vin:hidden'],
  ['Warranty Expiry', WIDE],
  ['Scale Serial Number', WIDE],
  ['Valid Calibration', WIDE],
  ['Certificate', WIDE],
  ['Action', 'text-right'],
] as const;

function ResultsTable({ rows }: { rows: readonly ListedRow[] }) {
  return (
    <ListTable caption="Vehicles that match" look="text-sm max-xl:text-xs print:text-sm" columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.rego} row={row} />
      ))}
    </ListTable>
  );
}

function Row({ row }: { row: ListedRow }) {
  const page = href('/vehicles/view/:rego', { rego: row.rego });
  return (
    <tr className="border-b border-line align-top last:border-b-0 hover:bg-hover max-row:[&>*]:py-2">
      <th scope="row" className="font-normal">
        <div className="flex flex-wrap items-center gap-x-2">
          <Link to={page} className="quiet-link inline-flex min-h-11 items-center">
            <RegoChip rego={row.plate} />
          </Link>
          <span className="hidden max-row:inline-flex">
            <ValidCalibrationBadge verdict={row.verdict} matchesLog={row.matchesLog} />
          </span>
        </div>
        {row.note && <p className="pb-1">{row.note}</p>}
        <SecondLines row={row} />
      </th>
      <td className="max-vin:hidden">
        <span className={`${LINE} font-mono text-sm max-xl:text-xs`}>{row.vin === '' ? 'N/A' : row.vin}</span>
      </td>
      <td className={WIDE}>
        <span className={LINE}>{row.warrantyExpiry ?? 'N/A'}</span>
      </td>
      <td className={WIDE}>
        <span className={LINE}>{row.scaleSerialNumber === '' ? 'N/A' : row.scaleSerialNumber}</span>
      </td>
      <td className={WIDE}>
        <span className={LINE}>
          <ValidCalibrationBadge verdict={row.verdict} matchesLog={row.matchesLog} />
        </span>
      </td>
      <td className={WIDE}>
        {row.certificateHref === null ? (
          <span className={`${LINE} text-ink-3`}>N/A</span>
        ) : (
          <a
            href={row.certificateHref}
            className={`${LINE} min-w-11`}
            target="_blank"
            rel="noreferrer"
            aria-label={`View certificate of ${row.rego}`}
          >
            View
          </a>
        )}
      </td>
      <td className="text-right">
        <Link to={page} className={`${LINE} min-w-11 justify-end gap-1.5`} aria-label={`View ${row.rego}`}>
          View
          <RowIcon name="chevron-right" className="row-icon size-5 row:max-md:hidden" />
        </Link>
      </td>
    </tr>
  );
}

// The content of hidden columns, as lines below the rego: the VIN shows why a row matched. On screens wider than a
// phone the lines overflow below the next columns, so that they do not widen their own.
function SecondLines({ row }: { row: ListedRow }) {
  return (
    <div className="hidden text-sm leading-6 text-ink-2 max-vin:block max-row:pb-1 row:w-0 row:leading-4 row:pb-1 row:text-xs row:whitespace-nowrap">
      <div>
        VIN <span className="font-mono">{row.vin === '' ? 'N/A' : row.vin}</span>
      </div>
      <div className="hidden max-row:block">{`Serial ${row.scaleSerialNumber === '' ? 'N/A' : row.scaleSerialNumber}`}</div>
      <div className="hidden max-row:block">{`Warranty ${row.warrantyExpiry ?? 'N/A'}`}</div>
      <div className="hidden max-row:block">
        {row.certificateHref === null ? (
          'Certificate N/A'
        ) : (
          <a
            href={row.certificateHref}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center gap-2"
          >
            <RowIcon name="file-check-corner" className="row-icon size-5" />
            View certificate
          </a>
        )}
      </div>
    </div>
  );
}

function NoMatch({ text, near, ask, path }: { text: string; near: readonly string[]; ask: string; path: string }) {
  return (
    <Empty title={`No vehicle matches “${text}”`} path={path}>
      <DidYouMean near={near} ask={ask} />
      <p className="pt-2">Check for O and 0, or I and 1. You can also search by part of the VIN.</p>
      <p className="pt-2">
        A truck that is not listed has no calibration in this registry. That does not show whether its scale is right or
        wrong.
      </p>
    </Empty>
  );
}

function NothingToSearch({ text, path }: { text: string; path: string }) {
  const why = /[\p{L}\p{N}]/u.test(text) ? 'cannot be in a rego or VIN.' : 'has no letters or digits.';
  return (
    <Empty title="Type letters or digits to search" path={path}>
      <p className="pt-2">{`“${text}” ${why} A rego or VIN has letters A to Z and digits 0 to 9.`}</p>
    </Empty>
  );
}

function Empty({ title, path, children }: { title: string; path: string; children: React.ReactNode }) {
  return (
    <section className="card px-5 py-12 text-center" aria-labelledby="results">
      <RowIcon name="search-x" className="row-icon size-9 mx-auto text-ink-3" />
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
