// In the browser: after a deletion, the list opens as the user left it, with its filter, page and scroll position.
// Buys: no search for one's place again in a list of up to a million. Deletable when the router restores scroll after a
// redirect.
import { useEffect } from 'react';
import { replace, useLocation, type Location } from 'react-router';

/** A list as it was last shown: its address, and the key under which its scroll position is stored. */
type Left = { address: string; scrollKey: string };

const lists = new Map<string, Left>();
const scrollKeys = new Map<string, string>();
let opening: Left | undefined;

/** Remembers the list that calls it. */
export function useListLeft(): void {
  const location = useLocation();
  useEffect(() => {
    lists.set(location.pathname, { address: addressOf(location), scrollKey: scrollKeyOf(location) });
  }, [location]);
}

/** Awaits a form's action. Where it redirects to a list, redirects to that list as it was left. */
export async function backToList<Answer>(sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    opening = lists.get(thrown.headers.get('location') ?? '');
    if (opening === undefined) throw thrown;
    // `replace`, because the page before is that of the deleted record.
    throw replace(opening.address, { status: thrown.status, headers: thrown.headers });
  }
}

/** The `getKey` of the document's ScrollRestoration. */
export function scrollKeyOf(location: Location): string {
  if (opening?.address === addressOf(location) && !scrollKeys.has(location.key) && location.key !== opening.scrollKey) {
    scrollKeys.set(location.key, opening.scrollKey);
    opening = undefined;
  }
  return scrollKeys.get(location.key) ?? location.key;
}

const addressOf = ({ pathname, search }: Location): string => pathname + search;
