// The loader that the lists of applications and of technicians share.
import { logSize } from '#app/activity-log/queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { ListPage } from '#app/platform/database/list-page.server.ts';
import { parseListAddress, type ListAddress } from '#app/ui/list-address.ts';
import type { CompanyRow } from './company-table.tsx';

export type CompanyPage = { since: number; asked: ListAddress; pages: number; total: number; rows: CompanyRow[] };

/** The rows that `list` finds. `since`: the log's size before the read, where the page's live updates begin. */
export async function readCompanyPage(
  db: Db,
  url: URL,
  list: (db: Db, asked: ListAddress) => Promise<ListPage<CompanyRow>>,
): Promise<CompanyPage> {
  const asked = parseListAddress(url.searchParams);
  const since = await logSize(db);
  const { items, page, pages, total } = await list(db, asked);
  return {
    since,
    asked: { ...asked, page },
    pages,
    total,
    rows: items.map(({ email, companyName, abn, tradeLicenceNum }) => ({ email, companyName, abn, tradeLicenceNum })),
  };
}
