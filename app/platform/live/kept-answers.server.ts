// Public answers, kept in the process for those who ask next. What is kept is dropped by the change itself, which every
// node hears of (the same notification that makes open pages reload), and is never refilled from behind it: an answer
// that was being made when a change to its topics was heard is not kept. Nothing is kept, or answered from here, while
// changes cannot be heard.
import { LRUCache } from 'lru-cache';
import type { LiveUpdates } from './live-updates.server.ts';

/** `topics`: whose changes make it another answer. `until`: when it is another one without any change, in ms since 1970. */
export type Keep = { topics: readonly string[]; until: number };

/** An answer in the form in which it is given again. `bytes`: what it takes in memory. */
export type KeptAnswer<Prepared> = Keep & { prepared: Prepared; bytes: number };

/** An answer in the making. */
export type Making<Prepared> = {
  /** Keeps it, unless something has changed meanwhile that it might not show. */
  keep(key: string, answer: KeptAnswer<Prepared>): void;
  /** Whatever became of it. */
  end(): void;
};

export type KeptAnswers<Prepared> = {
  find(key: string): Prepared | undefined;
  begin(): Making<Prepared>;
  /** How many are kept, and their bytes. */
  size(): { answers: number; bytes: number };
  close(): void;
};

type Given = { live: Pick<LiveUpdates, 'onChange' | 'isFollowing'>; now: () => Date };

/** Keeps at most `maxBytes`; the one that was not asked for the longest goes first. */
export function keepAnswers<Prepared extends object>({ live, now }: Given, maxBytes: number): KeptAnswers<Prepared> {
  const byTopic = new Map<string, Set<string>>();
  const making = new Set<{ changed: Set<string>; isAll: boolean }>();
  const kept = new LRUCache<string, KeptAnswer<Prepared>>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose({ topics }, key) {
      for (const topic of topics) {
        const keys = byTopic.get(topic);
        keys?.delete(key);
        if (keys?.size === 0) byTopic.delete(topic);
      }
    },
  });
  const stop = live.onChange((topics) => {
    if (topics === 'everything') {
      kept.clear();
      for (const each of making) each.isAll = true;
      return;
    }
    for (const topic of topics) {
      for (const key of byTopic.get(topic) ?? []) kept.delete(key);
      for (const each of making) each.changed.add(topic);
    }
  });
  return {
    find(key) {
      const found = kept.get(key);
      if (found === undefined || !live.isFollowing()) return undefined;
      if (now().getTime() < found.until) return found.prepared;
      kept.delete(key);
      return undefined;
    },
    begin() {
      const mine = { changed: new Set<string>(), isAll: !live.isFollowing() };
      making.add(mine);
      return {
        keep(key, answer) {
          if (mine.isAll || !making.has(mine) || answer.topics.some((topic) => mine.changed.has(topic))) return;
          kept.set(key, answer);
          if (!kept.has(key)) return;
          for (const topic of answer.topics) byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(key));
        },
        end: () => void making.delete(mine),
      };
    },
    size: () => ({ answers: kept.size, bytes: kept.calculatedSize }),
    close() {
      stop();
      kept.clear();
    },
  };
}
