// In the browser: after a delete one is where one was, in the list as it was left, with its filter, page and scroll.
import { useEffect } from 'react';
import { replace, useLocation, type Location } from 'react-router';

/** A list as it was last seen: its address, and under which key its scroll is kept. */
type Left = { address: string; scrollKey: string };

const lists = new Map<string, Left>();
const scrollKeys = new Map<string, string>();
let opening: Left | undefined;

/** To be called by a list. */
export function useListLeft(): void {
  const location = useLocation();
  useEffect(() => {
    lists.set(location.pathname, { address: addressOf(location), scrollKey: scrollKeyOf(location) });
  }, [location]);
}

/** A form that leads to a list when it was `sent`: to that list as it was left. */
export async function backToList<Answer>(sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    opening = lists.get(thrown.headers.get('location') ?? '');
    if (opening === undefined) throw thrown;
    // In the place of the page of a record that is gone.
    throw replace(opening.address, { status: thrown.status, headers: thrown.headers });
  }
}

/** For the document's ScrollRestoration. */
export function scrollKeyOf(location: Location): string {
  if (opening?.address === addressOf(location) && !scrollKeys.has(location.key) && location.key !== opening.scrollKey) {
    scrollKeys.set(location.key, opening.scrollKey);
    opening = undefined;
  }
  return scrollKeys.get(location.key) ?? location.key;
}

const addressOf = ({ pathname, search }: Location): string => pathname + search;
