import { ListTable } from '#app/ui/list-table.tsx';
import { ListLink } from '#app/ui/list-way.tsx';
import { href } from 'react-router';
import { CoverageBadge, type ShownCoverage } from './coverage-badge.tsx';

/** One weighbridge in the list, in words; '' is not known. */
export type ReferenceRow = {
  id: string;
  name: string;
  place: string;
  operator: string;
  capacity: string;
  interval: string;
  certificate: string;
  verifiedTo: string;
  coverage: ShownCoverage;
};

// Columns hidden below 825 px, and below 560 px.
const MEDIUM = 'max-vin:hidden';
const WIDE = 'max-row:hidden';

const COLUMNS = [
  ['Name'],
  ['Operator', MEDIUM],
  ['Capacity', `${WIDE} text-right`],
  ['Interval\u00a0e', `${WIDE} text-right`],
  ['Certificate', MEDIUM],
  ['Verified to', WIDE],
  ['Today'],
] as const;

export function ReferenceTable({ references }: { references: readonly ReferenceRow[] }) {
  return (
    <ListTable caption="Weighbridges" look="text-sm text-ink-2 max-xl:text-xs" columns={COLUMNS}>
      {references.map((reference) => (
        <Row key={reference.id} reference={reference} />
      ))}
    </ListTable>
  );
}

function Row({ reference }: { reference: ReferenceRow }) {
  const { id, name, place, operator, capacity, interval, certificate, verifiedTo, coverage } = reference;
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-hover">
      <th scope="row" className="py-1 font-normal">
        <ListLink
          to={href('/references/:id', { id })}
          className="flex min-h-11 items-center py-1 font-semibold wrap-anywhere"
        >
          {name}
        </ListLink>
        <span className="-mt-1.5 block pb-1.5 text-sm wrap-anywhere text-ink-2">{place}</span>
        {verifiedTo === '' ? null : (
          <span className="hidden pb-1 text-sm text-ink-2 max-row:block">{`Verified to ${verifiedTo}`}</span>
        )}
      </th>
      <td className={`${MEDIUM} wrap-anywhere`}>{operator || 'N/A'}</td>
      <td className={`${WIDE} text-right whitespace-nowrap`}>{capacity || 'N/A'}</td>
      <td className={`${WIDE} text-right whitespace-nowrap`}>{interval || 'N/A'}</td>
      <td className={`${MEDIUM} font-mono text-sm wrap-anywhere max-xl:text-xs`}>{certificate || 'N/A'}</td>
      <td className={`${WIDE} whitespace-nowrap`}>{verifiedTo || 'N/A'}</td>
      <td>
        <CoverageBadge coverage={coverage} />
      </td>
    </tr>
  );
}
