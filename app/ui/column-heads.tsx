type Column = readonly [heading: string, className?: string | undefined, shown?: 'spoken'];

/** The head of a table. A column's class says where it is hidden; a spoken heading is for screen readers only. */
export function ColumnHeads({ columns, look }: { columns: readonly Column[]; look: string }) {
  return (
    <thead className={`border-y border-line bg-sunken ${look} [&_th]:py-2`}>
      <tr>
        {columns.map(([heading, className, shown]) => (
          <th key={heading} scope="col" className={className}>
            {shown === 'spoken' ? <span className="sr-only">{heading}</span> : heading}
          </th>
        ))}
      </tr>
    </thead>
  );
}
