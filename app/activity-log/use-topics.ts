import { useLiveUpdates } from '#app/platform/live/live-client.ts';
import type { Topic } from './topic.ts';

/** Follows `topics` from the log's size `since` on: the page reloads when a write concerns one of them. */
export const useTopics = (
  topics: readonly Topic[],
  since: number,
  options?: Parameters<typeof useLiveUpdates>[2],
): void => useLiveUpdates(topics, since, options);
