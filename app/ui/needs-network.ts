// What only the network gives, such as a PDF: without one the browser would show its own page, or nothing at all.
import type { MouseEvent } from 'react';
import { showToast } from './toasts.ts';

const ANSWERS_WITHIN_MS = 4000;

/** As the click of a link: follows it once the registry answers. Where it does not, the page stays and says so. */
export function stayWhenOffline(event: MouseEvent<HTMLAnchorElement>): void {
  // The click from here, and one that opens a tab.
  if (!event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void followIfAnswering(event.currentTarget);
}

async function followIfAnswering(link: HTMLAnchorElement): Promise<void> {
  if (await isAnswering()) link.click();
  else showToast({ kind: 'error', text: NOTHING });
}

const NOTHING = 'No connection. Nothing was fetched. Try again when the connection is back.';

// A Wi-Fi's page in its place has no id. A phone may take itself to be online for minutes.
const isAnswering = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok, headers }) => ok && headers.has('x-request-id'),
    () => false,
  );
