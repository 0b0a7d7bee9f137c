// Whether the registry itself answered. A Wi-Fi's sign-in page and a proxy's refusal answer in its place, with any
// status: what they say is a lost connection. React Router marks the data of pages, and the server's refusals are
// problem details with a request id.

/** Whether an answer to a request for a page's data, or to a form, is the registry's. */
export const isOwnAnswer = ({ headers }: Response): boolean =>
  headers.has('x-remix-response') ||
  (headers.has('x-request-id') && (headers.get('content-type') ?? '').startsWith('application/problem+json'));

/** Whether the registry sent the request on to its sign-in. A redirect to another site fails. */
export const isSentToSignIn = ({ redirected, url, headers }: Response): boolean =>
  redirected && headers.has('x-request-id') && new URL(url).pathname === '/login';
