/** The data of an error page that refuses a request (403, 405). `sentence` gives the reason. */
export type ForbiddenPage = { kind: 'forbidden'; sentence: string; registryName: string; requestId: string };

/** The refusal in a route error's data; undefined for any other error. */
export function readForbidden(data: unknown): ForbiddenPage | undefined {
  return isForbidden(data) ? data : undefined;
}

function isForbidden(data: unknown): data is ForbiddenPage {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'forbidden';
}
