/** The list's search and filters as hidden fields, for a form that has no inputs for them. */
export function ListOptions({ options }: { options: readonly [name: string, value: string][] }) {
  return options.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
