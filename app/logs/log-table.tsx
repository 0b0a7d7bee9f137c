import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router';
import { Breakable } from '#app/ui/breakable.tsx';
import type { LogRow } from './present-activity.server.ts';

const WIDE = 'max-row:hidden';

/** The entries of one page. Below 560 px an entry is one cell: time and person, action, and the record below. */
export function LogTable({ rows }: { rows: readonly LogRow[] }) {
  return (
    <div className="table-scroll">
      <table className="data-table max-row:border-t max-row:border-line">
        <caption className="sr-only">Log entries, latest first</caption>
        <thead className="border-y border-line bg-sunken text-xs text-ink-2 max-row:sr-only [&_th]:py-2">
          <tr>
            {['When', 'Who', 'What', 'Record'].map((heading) => (
              <th key={heading} scope="col" className={heading === 'What' ? undefined : WIDE}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Entry key={row.index} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entry({ row }: { row: LogRow }) {
  return (
    <tr className="border-b border-line align-top last:border-b-0 hover:bg-hover [&>*]:py-2.5">
      <td className={`${WIDE} w-[22%]`}>
        <When row={row} />
      </td>
      <td className={`${WIDE} w-[18%] wrap-anywhere`}>
        {row.name}
        {row.email === null ? null : (
          <div className="text-xs text-ink-2">
            <Breakable email={row.email} />
          </div>
        )}
      </td>
      <th scope="row" className="font-normal wrap-anywhere max-row:px-4!">
        <div className="hidden text-sm text-ink-2 max-row:block">
          <When row={row} /> · {row.name}
        </div>
        <What row={row} />
        <div className="hidden max-row:block">
          <RecordLink row={row} />
        </div>
      </th>
      <td className={`${WIDE} w-[20%] wrap-anywhere`}>{row.record === null ? 'N/A' : <RecordLink row={row} />}</td>
    </tr>
  );
}

function When({ row: { when, occurredAt, imported } }: { row: LogRow }) {
  return (
    <>
      <time dateTime={occurredAt}>{when}</time>
      {imported ? ' (imported)' : ''}
    </>
  );
}

function What({ row: { words, details, erased, changes } }: { row: LogRow }) {
  return (
    <>
      <span className="font-semibold">{words}</span>
      {details === '' ? null : <div>{details}</div>}
      {erased === null ? null : <div className="text-ink-2 italic">{`Details erased on ${erased}`}</div>}
      {changes.length === 0 ? null : (
        <details className="group">
          <summary className="inline-flex min-h-(--size-target) items-center gap-1 font-semibold text-accent">
            <ChevronRight size={16} aria-hidden="true" className="group-open:rotate-90" />
            {`${changes.length} changed ${changes.length === 1 ? 'field' : 'fields'}`}
          </summary>
          <ul className="pb-1">
            {changes.map(({ label, from, to }, place) => (
              <li key={place}>
                {`${label}: `}
                <del className="text-ink-2">{from}</del>
                {' → '}
                <ins className="no-underline">{to}</ins>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function RecordLink({ row: { record } }: { row: LogRow }) {
  if (record === null) return null;
  const words = <Breakable email={record.words} />;
  if (record.href === null) return words;
  return (
    <Link to={record.href} className="inline-flex max-row:min-h-11 items-center">
      {words}
    </Link>
  );
}
