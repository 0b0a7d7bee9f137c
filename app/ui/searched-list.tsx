// A list of the back office: search as you type, the number of results, the rows, the pager.
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useListLeft } from './list-left.ts';
import { listAddress, type ListAddress } from './list-address.ts';
import { Pager } from './pager.tsx';
import { SearchBox } from './search-box.tsx';

export function SearchedList({
  path,
  asked,
  pages,
  total,
  noun,
  placeholder,
  whenEmpty,
  children,
}: {
  path: string;
  /** The search and page of the current address. */
  asked: ListAddress;
  pages: number;
  total: number;
  noun: { one: string; many: string };
  placeholder: string;
  /** The sentence when the list is empty without a search. */
  whenEmpty: string;
  /** The table, shown when there are rows. */
  children: ReactNode;
}) {
  useListLeft();
  return (
    <div className="card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <SearchBox path={path} text={asked.text} label={noun.many} placeholder={placeholder} maxLength={100} />
        <p role="status" className="text-ink-3">
          {`${total.toLocaleString('en-AU')} ${total === 1 ? noun.one : noun.many}`}
        </p>
      </div>
      {total === 0 ? (
        <div className="border-t border-line px-5 py-12 text-center">
          <SearchX size={36} className="mx-auto text-ink-3" aria-hidden="true" />
          <p className="pt-3 text-lg font-bold wrap-anywhere">
            {asked.text === '' ? whenEmpty : `No ${noun.one} matches “${asked.text}”`}
          </p>
          {asked.text === '' ? null : (
            <Link to={path} className="mt-2 inline-flex min-h-11 items-center font-semibold">
              {`Show all ${noun.many}`}
            </Link>
          )}
        </div>
      ) : (
        children
      )}
      <Pager
        page={asked.page}
        pages={pages}
        label={`Pages of ${noun.many}`}
        hrefOf={(page) => listAddress(path, { ...asked, page })}
      />
    </div>
  );
}
