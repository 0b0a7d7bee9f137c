/** The list's search and filters, taken along by a form that has no boxes for them. */
export function ListOptions({ options }: { options: readonly [name: string, value: string][] }) {
  return options.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
