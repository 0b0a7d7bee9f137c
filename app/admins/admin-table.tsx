import Eye from 'lucide-react/icons/eye';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Avatar } from '#app/people/avatar.tsx';
import { Breakable } from '#app/ui/breakable.tsx';
import { useListLink } from '#app/ui/list-way.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { RowAction } from '#app/ui/row-action.tsx';

/** One admin in the list. `segment`: their key in URLs. */
export type AdminRow = {
  segment: string;
  email: string;
  name: string;
  role: string;
  phone: string;
  address: string;
  image: string | undefined;
};

// Columns hidden below 825 px, and below 560 px.
const MEDIUM = 'max-vin:hidden';
const WIDE = 'max-row:hidden';

const COLUMNS = [
  ['Name'],
  ['Email', MEDIUM],
  ['Role', WIDE],
  ['Phone', WIDE],
  ['Address', MEDIUM],
  ['Actions', 'text-right'],
] as const;

export function AdminTable({ admins }: { admins: readonly AdminRow[] }) {
  return (
    <ListTable caption="Admins" look="text-xs text-ink-2" columns={COLUMNS}>
      {admins.map((admin) => (
        <Row key={admin.email} admin={admin} />
      ))}
    </ListTable>
  );
}

function Row({ admin: { segment, email, name, role, phone, address, image } }: { admin: AdminRow }) {
  const page = useListLink()(`/admins/view/${segment}`);
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-hover">
      <th scope="row" className="font-normal">
        <Link
          to={page}
          className="quiet-link flex min-h-(--size-target) min-w-0 items-center gap-2.5 py-1 font-semibold"
        >
          <Avatar name={name || email} src={image} />
          <span className="min-w-20 wrap-anywhere xl:min-w-28">{name || <Breakable email={email} />}</span>
        </Link>
      </th>
      <td className={MEDIUM}>
        <div className="min-w-36 py-1 wrap-anywhere">
          <Breakable email={email} />
        </div>
      </td>
      <td className={WIDE}>
        <div className="min-w-20 wrap-anywhere">{role || 'N/A'}</div>
      </td>
      <td className={WIDE}>
        <div className="min-w-24 wrap-anywhere">{phone || 'N/A'}</div>
      </td>
      <td className={MEDIUM}>
        <div className="min-w-28 py-1 wrap-anywhere">{address || 'N/A'}</div>
      </td>
      <td>
        <div className="flex justify-end">
          <RowAction to={page} icon={Eye} label={`View ${email}`} />
          <IfMay to="change people">
            <RowAction to={`/admins/update/${segment}`} icon={Pencil} label={`Edit ${email}`} />
            <RowAction to={`/admins/delete/${segment}`} icon={Trash2} label={`Delete ${email}`} />
          </IfMay>
        </div>
      </td>
    </tr>
  );
}
