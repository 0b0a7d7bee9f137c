// In the browser: follows topics and reloads the page's data through its own loaders when one of them changes.
import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { onTryAgain, sayPageIsOld } from '#app/platform/http/page-data.ts';

/** At most one reload in this time, so that an import running beside does not keep a page busy. */
const RELOAD_EVERY_MS = 700;
const RETRY_MS = 3000;
const SIGNED_OUT_PAUSE_MS = 600;
/** A restart of the server takes less; what changed meanwhile comes with the next stream. */
const MAY_BE_OLD_AFTER_MS = 5000;

/**
 * Follows `topics` from the log's size `since` on, while the page is open. When the session ends, the page is reloaded,
 * which leads to the sign-in or shows what the public sees; a page `whereOneTypes` stays as it is instead, and no longer
 * follows: what is typed there is worth more.
 */
export function useLiveUpdates(topics: readonly string[], since: number, { whereOneTypes = false } = {}): void {
  const { revalidate } = useRevalidator();
  // Where the first page began; later pages continue from what was seen.
  const begin = useRef(since);
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
  useEffect(() => {
    if (query === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let lastReload = 0;
    let seen = begin.current;
    let source: EventSource | undefined;
    let lost: ReturnType<typeof setTimeout> | undefined;
    let isNoLongerOld: (() => void) | undefined;
    const endLost = () => {
      clearTimeout(lost);
      isNoLongerOld?.();
      lost = isNoLongerOld = undefined;
    };
    const reloadSoon = (event: MessageEvent<unknown>) => {
      if (/^\d+$/.test(event.lastEventId)) seen = Math.max(seen, Number(event.lastEventId) + 1);
      if (timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          lastReload = Date.now();
          void revalidate();
        },
        Math.max(0, lastReload + RELOAD_EVERY_MS - Date.now()),
      );
    };
    const open = () => {
      clearTimeout(retry);
      source = new EventSource(`/live?${query}&since=${seen}`);
      source.addEventListener('change', reloadSoon);
      source.addEventListener('reset', reloadSoon);
      // Not at once: whoever signed out just here is on the way to another page already.
      source.addEventListener('signed-out', () => {
        source?.close();
        if (whereOneTypes) return;
        timer = setTimeout(() => {
          void revalidate();
          retry = setTimeout(open, RETRY_MS);
        }, SIGNED_OUT_PAUSE_MS);
      });
      source.addEventListener('open', endLost);
      source.addEventListener('error', () => {
        lost ??= setTimeout(() => {
          isNoLongerOld = sayPageIsOld(source?.readyState === EventSource.CLOSED);
        }, MAY_BE_OLD_AFTER_MS);
        // The browser reconnects by itself after a break, but not after an answer that was no stream (a restart).
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
      });
    };
    open();
    const stopAsking = onTryAgain(() => {
      if (lost === undefined) return;
      source?.close();
      open();
    });
    return () => {
      stopAsking();
      endLost();
      clearTimeout(timer);
      clearTimeout(retry);
      source?.close();
    };
  }, [query, revalidate, whereOneTypes]);
}
