// What only the network gives, such as a PDF: without one the browser would show its own page, or nothing at all.
import type { SyntheticEvent } from 'react';
import { showToast } from './toasts.ts';

/** As the click of a link or the sending of a form: stays on the page and says so. */
export function stayWhenOffline(event: SyntheticEvent): void {
  if (navigator.onLine) return;
  event.preventDefault();
  showToast({ kind: 'error', text: 'No connection. Nothing was fetched. Try again when the connection is back.' });
}
