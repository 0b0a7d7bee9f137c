// The subscription of an open page to topics.
import { topicsAddress, useLiveUpdates } from '#app/platform/live/live-client.ts';
import type { Topic } from './topic.ts';

type SubscriptionProps = { topics: readonly Topic[]; since: number; whereOneTypes?: boolean };

/**
 * Subscribes the page to `topics`, from the log's size `since` on. The page reloads when a write publishes one of them.
 * The link (RFC 5989) holds the address of the subscription, so that a test can check every page against every write.
 */
export function Subscription({ topics, since, whereOneTypes = false }: SubscriptionProps) {
  useLiveUpdates(topics, since, { whereOneTypes });
  return topics.length === 0 ? null : <link rel="monitor" href={topicsAddress(topics)} />;
}
