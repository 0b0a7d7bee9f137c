import { href, Link } from 'react-router';
import { RowIcon } from '#app/ui/row-icon.tsx';

/** `about`: the query that names the record. */
export function ReportLink({ about }: { about: Record<string, string> }) {
  return (
    <Link
      to={`${href('/reports/new')}?${new URLSearchParams(about)}`}
      className="no-print inline-flex min-h-11 items-center gap-2 font-semibold"
    >
      <RowIcon name="flag" className="row-icon size-4.5" />
      Report a wrong record
    </Link>
  );
}
