import SearchX from 'lucide-react/icons/search-x';
import { Link } from 'react-router';
import { Pager } from '#app/ui/pager.tsx';
import { LogFilters } from './log-filters.tsx';
import type { LogPage } from './log-page.server.ts';
import { isFiltered, logHref } from './log-query.ts';
import { LogTable } from './log-table.tsx';

export function LogList({ log }: { log: LogPage }) {
  const { query, pages, rows } = log;
  return (
    <div className="card">
      <LogFilters log={log} />
      {rows.length === 0 ? <NoEntry log={log} /> : <LogTable rows={rows} />}
      <Pager page={query.page} pages={pages} label="Pages of the log" hrefOf={(page) => logHref({ ...query, page })} />
    </div>
  );
}

function NoEntry({ log }: { log: LogPage }) {
  return (
    <div className="border-t border-line px-5 py-12 text-center">
      <SearchX size={36} className="mx-auto text-ink-3" aria-hidden="true" />
      <p className="pt-3 text-lg font-bold">{whenEmpty(log)}</p>
      {isFiltered(log.query) ? (
        <Link to="/logs" className="mt-2 inline-flex min-h-11 items-center font-semibold">
          Show all entries
        </Link>
      ) : null}
    </div>
  );
}

function whenEmpty({ query, errors }: LogPage): string {
  if (Object.keys(errors).length > 0) return 'Nothing was searched. Correct the field marked above.';
  return isFiltered(query) ? 'No entry matches these filters' : 'No activity yet';
}
