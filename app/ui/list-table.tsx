import type { ReactNode } from 'react';
import { ColumnHeads } from './column-heads.tsx';

/** The table of a list; one that is wider than the page scrolls by itself. `caption` is for screen readers. */
export function ListTable({
  caption,
  columns,
  children,
}: {
  caption: string;
  /** The headings, each with the class of its cell. */
  columns: readonly (readonly [string, string?])[];
  /** The rows. */
  children: ReactNode;
}) {
  return (
    <div className="table-scroll">
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <ColumnHeads look="text-sm" columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
