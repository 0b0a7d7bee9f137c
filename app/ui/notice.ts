/** A message to whoever uses the page, as a toast or in it. */
export type Notice = { kind: 'success' | 'info' | 'error'; text: string };
