/** What the page of a refusal shows: why, in a sentence. */
export type ForbiddenPage = { kind: 'forbidden'; sentence: string; registryName: string; requestId: string };

/** The refusal behind a route's error, if it is one. */
export function readForbidden(data: unknown): ForbiddenPage | undefined {
  return isForbidden(data) ? data : undefined;
}

function isForbidden(data: unknown): data is ForbiddenPage {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'forbidden';
}
