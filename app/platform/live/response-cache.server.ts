// A cache of responses under tags. A change of a tag drops its responses: the notification that reloads open pages
// reaches every node. A response is not stored when one of its tags changes while it is made, so a cached response is
// never older than the last notification. Nothing is stored or found while the connection for notifications is lost.
//
// It buys a vehicle's page for 2 % of the processor time of making it (bench/RESULTS.md). Deletable when
// making a page costs as little as sending it.
import { LRUCache } from 'lru-cache';
import type { LiveUpdates } from './live-updates.server.ts';

/**
 * `tags`: a change of one of these topics makes the response old. `until`: when it expires without a change, in ms
 * since 1970. `bytes`: its size in memory.
 */
export type Cached<Response> = { tags: readonly string[]; until: number; response: Response; bytes: number };

export type Making<Response> = {
  /** Stores it, unless one of its tags has changed meanwhile. */
  store(key: string, cached: Cached<Response>): void;
  /** Must be called at the end, whether it was stored or not. */
  end(): void;
};

export type ResponseCache<Response> = {
  find(key: string): Response | undefined;
  begin(): Making<Response>;
  size(): { responses: number; bytes: number };
};

type Following = { live: Pick<LiveUpdates, 'onChange' | 'isFollowing'>; now: () => Date };

/** Holds at most `maxBytes`; the least recently used response is dropped first. */
export function openResponseCache<Response extends object>(
  { live, now }: Following,
  maxBytes: number,
): ResponseCache<Response> {
  const byTag = new Map<string, Set<string>>();
  const making = new Set<{ changed: Set<string>; isAll: boolean }>();
  const cache = new LRUCache<string, Cached<Response>>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose({ tags }, key) {
      for (const tag of tags) {
        const keys = byTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) byTag.delete(tag);
      }
    },
  });
  live.onChange((topics) => {
    if (topics === 'everything') {
      cache.clear();
      for (const each of making) each.isAll = true;
      return;
    }
    for (const topic of topics) {
      for (const key of byTag.get(topic) ?? []) cache.delete(key);
      for (const each of making) each.changed.add(topic);
    }
  });
  return {
    find(key) {
      const found = cache.get(key);
      if (found === undefined || !live.isFollowing()) return undefined;
      if (now().getTime() < found.until) return found.response;
      cache.delete(key);
      return undefined;
    },
    begin() {
      const mine = { changed: new Set<string>(), isAll: !live.isFollowing() };
      making.add(mine);
      return {
        store(key, cached) {
          if (mine.isAll || !making.has(mine) || cached.tags.some((tag) => mine.changed.has(tag))) return;
          cache.set(key, cached);
          if (!cache.has(key)) return;
          for (const tag of cached.tags) byTag.set(tag, (byTag.get(tag) ?? new Set()).add(key));
        },
        end: () => void making.delete(mine),
      };
    },
    size: () => ({ responses: cache.size, bytes: cache.calculatedSize }),
  };
}
