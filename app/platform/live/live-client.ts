// In the browser: subscribes to topics and reloads the page's data through its own loaders when one of them changes.
import { createContext, useContext, useEffect, useRef } from 'react';
import { useFetchers, useNavigation, useRevalidator } from 'react-router';
import { onTryAgain, sayPageIsOld } from '#app/platform/http/page-data.ts';

/** At most one reload in this time, so that a running import does not keep the page busy. */
const RELOAD_EVERY_MS = 700;
const RETRY_MS = 3000;
const SIGNED_OUT_PAUSE_MS = 600;
/** A page unseen for so long ends its stream: a browser opens six connections to an address, no seventh. */
const REST_AFTER_MS = 5000;
/** Longer than a restart of the server. The next stream brings what changed meanwhile. */
const MAY_BE_OLD_AFTER_MS = 5000;
/** Where the browser itself says that there is no network. Not at once: a phone that changes its cell says so too. */
const OLD_WITHOUT_NETWORK_AFTER_MS = 2000;

export const topicsAddress = (topics: readonly string[]): string =>
  `/live?${topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&')}`;

/** The topics of what stands beside every page, and what reloads that alone. */
export const BesidePage = createContext<{ topics: readonly string[]; reload: () => void }>({ topics: [], reload() {} });

/**
 * Subscribes to `topics` from the log's size `since` on, while the page is open. When the session ends, the page
 * reloads, which leads to the sign-in or to the public view. A page `whereOneTypes` stays as it is and ends its
 * subscription instead, so that nothing typed is lost. A page in a hidden tab catches up when it is seen again.
 */
export function useLiveUpdates(topics: readonly string[], since: number, { whereOneTypes = false } = {}): void {
  const { revalidate } = useRevalidator();
  const isSending = [useNavigation(), ...useFetchers()].some(({ state }) => state !== 'idle');
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = isSending;
  }, [isSending]);
  // The size when the component was mounted. Later streams continue from the last event seen.
  const begin = useRef(since);
  const beside = useContext(BesidePage);
  const own = topics.join(' ');
  const address = own === '' ? '' : topicsAddress([...new Set([...topics, ...beside.topics])]);
  useEffect(() => {
    if (address === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let lastReload = 0;
    let isOwn = false;
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
      isOwn ||= event.type === 'reset' || own.split(' ').some((topic) => String(event.data).split(' ').includes(topic));
      if (timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          lastReload = Date.now();
          if (isOwn) void revalidate();
          else beside.reload();
          isOwn = false;
        },
        Math.max(0, lastReload + RELOAD_EVERY_MS - Date.now()),
      );
    };
    let rest: ReturnType<typeof setTimeout> | undefined;
    let isResting = document.hidden;
    const sayOldAfter = (ms: number) => {
      lost ??= setTimeout(() => {
        const isRefused = source?.readyState === EventSource.CLOSED && navigator.onLine;
        isNoLongerOld = sayPageIsOld(isRefused ? 'server' : 'connection');
      }, ms);
    };
    // A stream does not notice for minutes that its network is gone.
    const onOffline = () => sayOldAfter(OLD_WITHOUT_NETWORK_AFTER_MS);
    const open = () => {
      clearTimeout(retry);
      if (isResting) return;
      source = new EventSource(`${address}&since=${seen}`);
      source.addEventListener('change', reloadSoon);
      source.addEventListener('reset', reloadSoon);
      source.addEventListener('signed-out', () => {
        source?.close();
        if (whereOneTypes) return;
        timer = setTimeout(() => {
          // Anybody who signed out on this page is on the way to where that leads, however slow the answer is.
          if (isLeaving.current) return;
          void revalidate();
          retry = setTimeout(open, RETRY_MS);
        }, SIGNED_OUT_PAUSE_MS);
      });
      source.addEventListener('open', endLost);
      source.addEventListener('error', () => {
        sayOldAfter(MAY_BE_OLD_AFTER_MS);
        // The browser reconnects by itself after a broken connection, but not after an error answer (as during a
        // restart).
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
      });
    };
    const close = () => {
      isResting = true;
      clearTimeout(retry);
      endLost();
      source?.close();
    };
    const onVisibility = () => {
      clearTimeout(rest);
      if (document.hidden) rest = setTimeout(close, REST_AFTER_MS);
      else if (isResting) {
        isResting = false;
        open();
      }
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('offline', onOffline);
    open();
    const stopAsking = onTryAgain(() => {
      if (lost === undefined) return;
      source?.close();
      open();
    });
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('offline', onOffline);
      clearTimeout(rest);
      stopAsking();
      clearTimeout(timer);
      close();
    };
  }, [address, own, beside, revalidate, whereOneTypes]);
}
