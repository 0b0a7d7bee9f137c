// The messages while a page's data does not arrive (app/platform/http/page-data.ts): a bar at the bottom of the window,
// and a note next to the search or pager that was used.
import { RowIcon } from './row-icon.tsx';
import { useSyncExternalStore } from 'react';
import { onWaitingPage, tryAgain, waitingPage, type Waiting } from '#app/platform/http/page-data.ts';

const useWaitingPage = (): Waiting | undefined => useSyncExternalStore(onWaitingPage, waitingPage, () => undefined);

/** The bar at the bottom of the window. A dialog has its own, because everything behind an open dialog is inert. */
export function ConnectionBar() {
  const waiting = useWaitingPage();
  if (waiting === undefined) return null;
  return (
    <div role="status" className="connection-bar no-print">
      <RowIcon name="wifi-off" className="row-icon size-5" />
      <p>
        {waiting.kind === 'refresh' && waiting.fault === 'server' ? null : <strong>No connection. </strong>}
        {waiting.kind === 'refresh'
          ? 'This page may be out of date. Trying again…'
          : 'What you asked for opens when the connection is back.'}
      </p>
      <TryAgain />
    </div>
  );
}

/** A note next to the search of the list at `path`, which still shows the results for `text`. */
export function SearchNotDone({ path, text }: { path: string; text: string }) {
  const to = useAwaitedAddress();
  if (to === undefined || to.pathname !== path) return null;
  const asked = to.searchParams.get('q') ?? '';
  if (asked === text) return null;
  return <NotDone>{asked === '' ? 'The search is not cleared yet.' : `“${asked}” is not searched yet.`}</NotDone>;
}

/** A note next to a pager's links, which lead to `hrefs`. */
export function PageNotOpen({ hrefs }: { hrefs: readonly string[] }) {
  const to = useAwaitedAddress();
  if (to === undefined || !hrefs.some((href) => isSameAddress(new URL(href, to), to))) return null;
  return <NotDone>{`Page ${to.searchParams.get('page') ?? '1'} is not loaded yet.`}</NotDone>;
}

const isSameAddress = (one: URL, other: URL): boolean =>
  one.pathname === other.pathname && one.searchParams.toString() === other.searchParams.toString();

function useAwaitedAddress(): URL | undefined {
  const waiting = useWaitingPage();
  return waiting?.kind === 'navigation' ? waiting.to : undefined;
}

function NotDone({ children }: { children: string }) {
  return (
    <div className="note note-info no-print mt-2 w-full flex-wrap items-center">
      <RowIcon name="wifi-off" className="row-icon size-5" />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">
        <strong>No connection. </strong>
        {`${children} It continues by itself.`}
      </p>
      <TryAgain />
    </div>
  );
}

function TryAgain() {
  return (
    <button type="button" className="button-look button-secondary shrink-0" onClick={tryAgain}>
      Try again
    </button>
  );
}
