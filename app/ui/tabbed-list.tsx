// A searched list of the back office that shows the records of one state: a link per state, the search, the rows, the
// pager.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listAddress, type ListAddress } from './list-address.ts';
import { Pager } from './pager.tsx';
import { SearchBox } from './search-box.tsx';

export function TabbedList<State extends string>({
  path,
  tabs,
  shown,
  asked,
  list: { page, pages, total },
  label,
  placeholder,
  whenEmpty,
  children,
  foot,
}: {
  path: string;
  /** The first is shown at the address without `?state=`. `count`: in words. */
  tabs: readonly { state: State; label: string; count: string }[];
  shown: State;
  asked: ListAddress;
  list: { page: number; pages: number; total: number };
  /** What the records are called: 'visits'. */
  label: string;
  placeholder: string;
  /** The sentence where there are no rows, also after a search. */
  whenEmpty: string;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const isFirst = (state: State) => state === tabs[0]?.state;
  const addressOf = (address: string, state: State) =>
    isFirst(state) ? address : `${address}${address.includes('?') ? '&' : '?'}state=${state}`;
  return (
    <div className="card">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <ul className="flex flex-wrap gap-2" aria-label={`Lists of ${label}`}>
          {tabs.map(({ state, label: name, count }) => (
            <li key={state}>
              <Link
                to={addressOf(path, state)}
                className="filter-link"
                aria-current={state === shown ? 'page' : undefined}
              >
                {name}
                <span className="font-normal">{count}</span>
              </Link>
            </li>
          ))}
        </ul>
        <SearchBox
          path={path}
          text={asked.text}
          label={label}
          placeholder={placeholder}
          maxLength={100}
          hrefOf={(text) => addressOf(listAddress(path, { text, page: 1 }), shown)}
        >
          {isFirst(shown) ? null : <input type="hidden" name="state" value={shown} />}
        </SearchBox>
      </div>
      {total > 0 ? (
        children
      ) : (
        <p className="border-t border-line px-5 py-12 text-center wrap-anywhere text-ink-2">{whenEmpty}</p>
      )}
      <Pager
        page={page}
        pages={pages}
        label={`Pages of ${label}`}
        hrefOf={(to) => addressOf(listAddress(path, { ...asked, page: to }), shown)}
      />
      {foot}
    </div>
  );
}
