import type { ComponentProps, ReactNode } from 'react';
import { ColumnHeads } from './column-heads.tsx';

/** The table of a list; one that is wider than the page scrolls by itself. `caption` is for screen readers. */
export function ListTable({
  caption,
  columns,
  look = 'text-sm',
  children,
}: {
  caption: string;
  columns: ComponentProps<typeof ColumnHeads>['columns'];
  /** The head's classes. */
  look?: string;
  /** The rows. */
  children: ReactNode;
}) {
  return (
    <div className="table-scroll">
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <ColumnHeads look={look} columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
