/** A count that names nobody: under five it is not told. */
export function publicCount(count: number): string {
  if (count === 0) return 'none';
  return count < 5 ? 'fewer than 5' : String(count);
}

/** '1 line', '2,300 lines'. */
export const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en-AU')} ${count === 1 ? one : more}`;
