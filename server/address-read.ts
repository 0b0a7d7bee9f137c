// The part of an address that its page reads. Any other query parameter changes nothing: the response cache does not
// know it, and the page is made without it. Otherwise a parameter that nobody knows has a page worked out again.
import { decodeEscapes } from '#app/platform/http/decode-escapes.ts';
import { pageAt } from './page-at.ts';
import { URL_MAX_LENGTH } from './limits.ts';

/** `url`: path and query. `isCached`: whether its answer may be cached under it. */
export type AddressRead = { url: string; isCached: boolean };

/** One vehicle, or its history: cached. Other spellings of the rego are answered, but not cached. */
export const OF_VEHICLE = /^\/api\/v1\/vehicles\/([A-Z0-9]{1,20}(?:-[A-Z]{2,3})?)(\/calibrations|\/sets)?$/;

export function addressRead(asked: string): AddressRead {
  const at = asked.indexOf('?');
  if (at === -1) return { url: asked, isCached: true };
  const path = asked.slice(0, at);
  const read = asked.length > URL_MAX_LENGTH || decodeEscapes(path) === undefined ? undefined : queryOf(path);
  if (read === undefined) return { url: asked, isCached: false };
  const given = new URLSearchParams(asked.slice(at));
  const named = [...read.by, ...read.uncached].flatMap((name) =>
    given
      .getAll(name)
      .slice(0, 1)
      .map((value) => [name, value]),
  );
  return {
    url: named.length === 0 ? path : `${path}?${new URLSearchParams(named).toString()}`,
    isCached: !read.uncached.some((name) => given.has(name)),
  };
}

/** `by`: what it is cached by. `uncached`: what is worked out for each value. Undefined: nothing of it is cached. */
function queryOf(path: string): { by: readonly string[]; uncached: readonly string[] } | undefined {
  const [, rego, list] = OF_VEHICLE.exec(path) ?? [];
  if (rego !== undefined) return { by: [], uncached: list === undefined ? ['on'] : ['page'] };
  const { page, isData } = pageAt(path);
  return page.cached === undefined || isData
    ? undefined
    : { by: page.cached.query, uncached: page.cached.uncached ?? [] };
}
