/** The head of a table. A column's class says where it is hidden. */
export function ColumnHeads({ columns, look }: { columns: readonly (readonly [string, string?])[]; look: string }) {
  return (
    <thead className={`border-y border-line bg-sunken ${look} [&_th]:py-2`}>
      <tr>
        {columns.map(([heading, className]) => (
          <th key={heading} scope="col" className={className}>
            {heading}
          </th>
        ))}
      </tr>
    </thead>
  );
}
