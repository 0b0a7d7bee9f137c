// A dialog that has an address (`?approve`). Closing it shows the page that is already loaded. That needs no request,
// so it works while the server is unreachable.
import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** A route's `shouldRevalidate`. `dialogs`: the query parameters that open one. */
export const unlessClosing =
  (...dialogs: string[]) =>
  ({ formMethod, currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean => {
    const isOpenIn = (url: URL) => dialogs.some((name) => url.searchParams.has(name));
    const closes = formMethod === undefined && isOpenIn(currentUrl) && !isOpenIn(nextUrl);
    return closes && pageOf(currentUrl, dialogs) === pageOf(nextUrl, dialogs) ? false : defaultShouldRevalidate;
  };

function pageOf({ pathname, searchParams }: URL, dialogs: readonly string[]): string {
  const query = new URLSearchParams(searchParams);
  for (const name of dialogs) query.delete(name);
  return `${pathname}?${query.toString()}`;
}
