// The page body that the lists of applications and of technicians share.
import { SearchedList } from '#app/ui/searched-list.tsx';
import type { CompanyPage } from './company-page.server.ts';
import { CompanyTable } from './company-table.tsx';

export function CompanyList({
  list: { asked, pages, total, rows },
  title,
  caption,
  path,
  ...words
}: {
  list: CompanyPage;
  title: string;
  caption: string;
  path: string;
  noun: { one: string; many: string };
  placeholder: string;
  whenEmpty: string;
}) {
  return (
    <main id="main">
      <h1 className="pb-4 text-xl">{title}</h1>
      <SearchedList path={path} asked={asked} pages={pages} total={total} {...words}>
        <CompanyTable rows={rows} path={path} caption={caption} />
      </SearchedList>
    </main>
  );
}
