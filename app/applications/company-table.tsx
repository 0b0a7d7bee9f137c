// The table of applications or technicians. A narrow screen shows only the first column and the actions.
import Eye from 'lucide-react/icons/eye';
import Trash2 from 'lucide-react/icons/trash';
import { Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { emailSegment } from '#app/people/email-key.ts';
import { Breakable } from '#app/ui/breakable.tsx';
import { useListLink } from '#app/ui/list-way.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { RowAction } from '#app/ui/row-action.tsx';
import { FlaggedAbn } from './flagged-abn.tsx';

export type CompanyRow = { email: string; companyName: string; abn: string; tradeLicenceNum: string };

const COLUMNS = [
  ['Email'],
  ['Company Name', 'max-row:hidden'],
  ['ABN', 'max-vin:hidden'],
  ['Trade License Number', 'max-vin:hidden'],
  ['Actions', 'text-right'],
] as const;

/** `path`: the list's path. Rows link to `path`/view and `path`/delete. */
export function CompanyTable({ rows, path, caption }: { rows: readonly CompanyRow[]; path: string; caption: string }) {
  const link = useListLink();
  return (
    <ListTable caption={caption} columns={COLUMNS}>
      {rows.map(({ email, companyName, abn, tradeLicenceNum }) => (
        <tr key={email} className="border-b border-line last:border-b-0 hover:bg-hover">
          <th scope="row" className="py-1 font-semibold wrap-anywhere">
            <Link
              to={link(`${path}/view/${emailSegment(email)}`)}
              className="quiet-link inline-flex min-h-11 items-center"
            >
              <span>
                <Breakable email={email} />
              </span>
            </Link>
            <span className="hidden pb-2 font-normal wrap-anywhere text-ink-2 max-row:block">{companyName}</span>
          </th>
          <td className="wrap-anywhere max-row:hidden">{companyName || 'N/A'}</td>
          <td className="max-vin:hidden">
            <FlaggedAbn abn={abn} />
          </td>
          <td className="wrap-anywhere max-vin:hidden">{tradeLicenceNum || 'N/A'}</td>
          <td>
            <div className="flex justify-end">
              <RowAction to={link(`${path}/view/${emailSegment(email)}`)} icon={Eye} label={`View ${email}`} />
              <IfMay to="change people">
                <RowAction to={`${path}/delete/${emailSegment(email)}`} icon={Trash2} label={`Delete ${email}`} />
              </IfMay>
            </div>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
