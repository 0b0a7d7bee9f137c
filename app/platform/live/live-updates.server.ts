// Live updates: one LISTENing connection per process follows the activity log, whose index is gap-free and in commit
// order, and notifies the open pages of the topics that changed. Events carry names and an index, never data: a page
// reloads through its own guarded loader.
//
// A page subscribes from the log's size when it was made, and after a reconnect from Last-Event-ID, so it misses
// nothing. A page that missed more than 1,000 entries reloads everything.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { connectionTo, type DatabaseAddress } from '#database/connection.ts';
import type { Db } from '#app/platform/database/database.server.ts';

/** `change`: some of the page's topics changed. `reset`: it missed too much and must reload everything. */
export type LiveEvent = { kind: 'change'; index: number; topics: string[] } | { kind: 'reset'; index: number };
/** Further channels of the database: a session ended (its id is the payload); mail waits; the public log grew. */
export type Channel = 'session_ended' | 'mail_waiting' | 'leaves';
/** Gets the topics of changes; 'everything' when they are unknown. */
type Watcher = (topics: readonly string[] | 'everything') => void;
type Subscriber = { topics: ReadonlySet<string>; deliver: (event: LiveEvent) => void };

export type LiveUpdates = {
  /** Delivers changes of `topics` from index `since` on (from now when undefined). Returns how to stop. */
  subscribe(
    topics: readonly string[],
    since: number | undefined,
    deliver: (event: LiveEvent) => void,
  ): Promise<() => void>;
  /** Calls `notify` for each notification on a channel of the database, on every node. Returns how to stop. */
  onNotification(channel: Channel, notify: (payload: string) => void): () => void;
  /**
   * Calls `notify` with the topics of every change before any page gets it, or with 'everything' when the changes are
   * unknown, as while the connection is lost. For the caches of this process. Returns how to stop.
   */
  onChange(notify: Watcher): () => void;
  /** Whether the connection is up, so that changes arrive as they happen. */
  isFollowing(): boolean;
  /** Resolves when everything that was committed before the call has been notified. */
  catchUp(): Promise<void>;
  /** The size of the activity log up to which this node has notified its pages. */
  notifiedSize(): number;
  /** How many pages subscribe. */
  size(): number;
  close(): Promise<void>;
};

/** Beyond this many entries a page reloads instead of getting each. */
const REPLAY_LIMIT = 1000;
const RECONNECT_MS = 500;
const NOTIFIED_AT_ONCE = 25;
const HEARTBEAT_MS = 5_000;

export async function sizeOfLog(db: Db): Promise<number> {
  return (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
}

/**
 * Follows the log of `db`. `address` is for the listening connection, which is not in the pool. It is checked by a
 * query every `heartbeatMs`, which must be answered within as long: a connection that only listens does not show that
 * it is broken.
 */
export async function openLiveUpdates(
  db: Db,
  address: DatabaseAddress,
  { onError, heartbeatMs = HEARTBEAT_MS }: { onError: (error: Error) => void; heartbeatMs?: number },
): Promise<LiveUpdates> {
  const subscribers = new Set<Subscriber>();
  const listeners = new Set<{ channel: string; notify: (payload: string) => void }>();
  const watchers = new Set<Watcher>();
  let cursor = 0; // entries below were delivered
  let closed = false;
  let client: pg.Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let following = Promise.resolve();
  let next: Promise<void> | undefined;

  const entriesFrom = (from: number) =>
    db
      .selectFrom('activityLog')
      .select(['index', 'topics'])
      // In a query of its own: a planner that saw the number would plan again each time.
      .where('index', '>=', sql<number>`(select ${from}::bigint)`)
      .orderBy('index')
      .limit(REPLAY_LIMIT + 1)
      .execute();

  const deliver = (subscriber: Subscriber, index: number, topics: readonly string[]) => {
    const concerned = topics.filter((topic) => subscriber.topics.has(topic));
    if (concerned.length > 0) subscriber.deliver({ kind: 'change', index, topics: concerned });
  };

  // In portions, so that thousands of open pages do not hold up requests.
  const toEach = async (notify: (subscriber: Subscriber) => void) => {
    let notified = 0;
    for (const subscriber of subscribers) {
      notify(subscriber);
      notified += 1;
      if (notified % NOTIFIED_AT_ONCE === 0) await setImmediate();
    }
  };

  const changed: Watcher = (topics) => {
    for (const notify of watchers) notify(topics);
  };

  const follow = async () => {
    const entries = await entriesFrom(cursor);
    const last = entries.at(-1);
    if (last === undefined) return;
    if (entries.length > REPLAY_LIMIT) {
      cursor = await sizeOfLog(db);
      const index = cursor - 1;
      changed('everything');
      await toEach((subscriber) => subscriber.deliver({ kind: 'reset', index }));
      return;
    }
    cursor = last.index + 1;
    for (const { topics } of entries) changed(topics);
    for (const { index, topics } of entries) await toEach((subscriber) => deliver(subscriber, index, topics));
  };
  // One run at a time, so that events stay in order. A call joins the next run when that has not begun yet.
  const followSoon = () => {
    if (next !== undefined) return next;
    const mine = following.then(() => {
      next = undefined;
      return follow();
    });
    next = mine;
    following = mine.catch((error: unknown) => {
      changed('everything');
      onError(error instanceof Error ? error : new Error(String(error)));
      if (!closed) again ??= setTimeout(followAgain, RECONNECT_MS);
    });
    return mine;
  };
  // Often the writer's `catchUp` has already read up to the notified size.
  const followTo = (size: number) => following.then(() => (cursor >= size ? undefined : followSoon()));
  const followAgain = () => {
    again = undefined;
    void followSoon().catch(() => {});
  };

  const listen = async () => {
    const connecting = new pg.Client({
      ...connectionTo(address, 'live'),
      keepAlive: true,
      connectionTimeoutMillis: Math.max(heartbeatMs, 1000),
      query_timeout: heartbeatMs,
    });
    let heartbeat: NodeJS.Timeout | undefined;
    let isLost = false;
    const lost = (error: Error) => {
      isLost = true;
      clearInterval(heartbeat);
      if (client === connecting) client = undefined;
      changed('everything');
      void connecting.end().catch(() => undefined);
      if (closed || reconnecting !== undefined) return;
      onError(error);
      reconnecting = setTimeout(() => {
        reconnecting = undefined;
        listen().catch(lost);
      }, RECONNECT_MS);
    };
    connecting.on('error', lost);
    connecting.on('end', () => lost(new Error('the listening connection ended')));
    connecting.on('notification', ({ channel, payload }) => {
      if (channel === 'activity') void followTo(Number(payload)).catch(() => {});
      else for (const listener of listeners) if (listener.channel === channel) listener.notify(payload ?? '');
    });
    try {
      await connecting.connect();
      await connecting.query('listen activity; listen session_ended; listen mail_waiting; listen leaves');
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (closed) return void connecting.end();
    heartbeat = setInterval(() => connecting.query('select 1').catch(lost), heartbeatMs);
    // Reads what was committed before LISTEN.
    await followSoon().catch(() => {});
    if (!isLost) client = connecting;
    if (closed) await connecting.end();
  };

  cursor = await sizeOfLog(db);
  await listen();

  return {
    async subscribe(topics, since, deliverEvent) {
      const held: LiveEvent[] = [];
      let replayed = false;
      // The replay may be ahead of the cursor: an event that was replayed must not be delivered again.
      let seen = -1;
      const subscriber: Subscriber = {
        topics: new Set(topics),
        deliver(event) {
          if (!replayed) held.push(event);
          else if (event.index > seen) deliverEvent(event);
        },
      };
      subscribers.add(subscriber);
      try {
        if (since !== undefined) {
          const missed = await entriesFrom(since);
          if (missed.length > REPLAY_LIMIT) deliverEvent({ kind: 'reset', index: (seen = (await sizeOfLog(db)) - 1) });
          else
            for (const { index, topics: changed } of missed) {
              seen = index;
              deliver({ ...subscriber, deliver: deliverEvent }, index, changed);
            }
        }
      } catch (error) {
        subscribers.delete(subscriber);
        throw error;
      }
      replayed = true;
      for (const event of held) if (event.index > seen) deliverEvent(event);
      return () => void subscribers.delete(subscriber);
    },
    onNotification(channel, notify) {
      const listener = { channel, notify };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onChange(notify) {
      watchers.add(notify);
      return () => void watchers.delete(notify);
    },
    isFollowing: () => client !== undefined,
    catchUp: followSoon,
    notifiedSize: () => cursor,
    size: () => subscribers.size,
    async close() {
      closed = true;
      clearTimeout(reconnecting);
      clearTimeout(again);
      subscribers.clear();
      await client?.end();
      await following;
    },
  };
}
