/** The data of an error page that refuses a request (403, 405), or tells nothing (503). `sentence` gives the reason. */
export type ForbiddenPage = { kind: 'forbidden'; sentence: string; registryName: string; requestId: string };

/** Whether the data of a route's error is a refusal. */
export function isForbidden(data: unknown): data is ForbiddenPage {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'forbidden';
}
