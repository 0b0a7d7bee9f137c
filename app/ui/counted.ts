/** '1 line', '2,300 lines'. */
export const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en-AU')} ${count === 1 ? one : more}`;
