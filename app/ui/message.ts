/** A message to the user, shown as a toast or in the page. */
export type Message = { kind: 'success' | 'info' | 'error'; text: string };
