/** A message to the user, shown as a toast or in the page. */
export type Message = {
  kind: 'success' | 'info' | 'error';
  text: string;
  /** The form that takes it back, and what it was about. */
  undo?: { action: string; id: string };
};
