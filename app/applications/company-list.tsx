// The page that the lists of applications and of technicians share.
import { Subscription } from '#app/activity-log/subscription.tsx';
import { SearchedList } from '#app/ui/searched-list.tsx';
import type { CompanyPage } from './company-page.server.ts';
import { CompanyTable } from './company-table.tsx';

const LISTS = { Application: 'applications', Technician: 'technicians' } as const;

export function CompanyList({
  page: { since, rows, ...page },
  noun,
  caption,
  whenEmpty,
}: {
  page: CompanyPage;
  noun: keyof typeof LISTS;
  caption: string;
  whenEmpty: string;
}) {
  const many = LISTS[noun];
  const path = `/${many}`;
  return (
    <main id="main">
      <Subscription topics={[many]} since={since} />
      <h1 className="pb-4 text-xl">{`${noun}s`}</h1>
      <SearchedList
        {...page}
        path={path}
        noun={{ one: noun.toLowerCase(), many }}
        placeholder={`Search ${noun}...`}
        whenEmpty={whenEmpty}
      >
        <CompanyTable rows={rows} path={path} caption={caption} />
      </SearchedList>
    </main>
  );
}
