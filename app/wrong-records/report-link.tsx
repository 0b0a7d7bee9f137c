import { href, Link } from 'react-router';
import { RowIcon } from '#app/ui/row-icon.tsx';

/** `about`: the query that names the record. `open`: that a report about it is open. */
export function ReportLink({ about, open = null }: { about: Record<string, string>; open?: string | null }) {
  return (
    <>
      {open === null ? null : <p className="note note-info">{open}</p>}
      <Link
        to={`${href('/reports/new')}?${new URLSearchParams(about)}`}
        className="no-print inline-flex min-h-11 items-center gap-2 font-semibold"
      >
        <RowIcon name="flag" className="row-icon size-4.5" />
        Report a wrong record
      </Link>
    </>
  );
}
