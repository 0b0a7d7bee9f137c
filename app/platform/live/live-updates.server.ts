// Live updates: one LISTENing connection per process follows the activity log, whose index is gap-free and in commit
// order, and tells the open pages which of their topics changed. Events carry names and an index, never data: a page
// reloads through its own guarded loader.
//
// A page subscribes from the log's size when it was made, a reconnect from Last-Event-ID, so nothing is missed; whoever missed
// more than 1,000 entries reloads everything.
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress, Db } from '#app/platform/database/database.server.ts';

/** What a page hears: some of its topics changed, or too much was missed and it must reload everything. */
export type LiveEvent = { kind: 'change'; index: number; topics: string[] } | { kind: 'reset'; index: number };
/** What the database tells besides the log: the id of a session that ended; that mail waits; that the public log grew. */
export type Channel = 'session_ended' | 'mail_waiting' | 'leaves';
type Subscriber = { topics: ReadonlySet<string>; deliver: (event: LiveEvent) => void };

export type LiveUpdates = {
  /** Hears of changes to `topics` from index `since` on (from now when undefined). Returns how to stop. */
  subscribe(
    topics: readonly string[],
    since: number | undefined,
    deliver: (event: LiveEvent) => void,
  ): Promise<() => void>;
  /** Hears what is told on a channel of the database, on every node. Returns how to stop. */
  onTold(channel: Channel, hear: (payload: string) => void): () => void;
  /**
   * Hears the topics of every change before any page does, or 'everything' when it cannot be known what changed, as while
   * the connection is lost. For what is kept of the database in this process. Returns how to stop.
   */
  onChange(hear: (topics: readonly string[] | 'everything') => void): () => void;
  /** Whether changes are heard as they happen. */
  isFollowing(): boolean;
  /** Follows what was committed before the call. */
  catchUp(): Promise<void>;
  /** The size of the activity log as far as this node has told its pages. */
  told(): number;
  /** How many pages listen. */
  size(): number;
  close(): Promise<void>;
};

/** Beyond this many entries a page reloads instead of hearing each. */
const REPLAY_LIMIT = 1000;
const RECONNECT_MS = 500;
const TOLD_AT_ONCE = 25;
const HEARTBEAT_MS = 5_000;

/**
 * Follows the log of `db`. `address` is for the listening connection, which no pool may take away. It is asked for a sign
 * of life every `heartbeatMs`, and given as long for it: nobody would miss it on a connection that only listens.
 */
export async function openLiveUpdates(
  db: Db,
  address: DatabaseAddress,
  onError: (error: Error) => void,
  { heartbeatMs = HEARTBEAT_MS }: { heartbeatMs?: number } = {},
): Promise<LiveUpdates> {
  const subscribers = new Set<Subscriber>();
  const hearers = new Set<{ channel: string; hear: (payload: string) => void }>();
  const watchers = new Set<{ hear: (topics: readonly string[] | 'everything') => void }>();
  let cursor = 0; // entries below were delivered
  let closed = false;
  let client: pg.Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let following = Promise.resolve();
  let next: Promise<void> | undefined;

  const logSize = async () => (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
  const entriesFrom = (from: number) =>
    db
      .selectFrom('activityLog')
      .select(['index', 'topics'])
      .where('index', '>=', from)
      .orderBy('index')
      .limit(REPLAY_LIMIT + 1)
      .execute();

  const deliver = (subscriber: Subscriber, index: number, topics: readonly string[]) => {
    const concerned = topics.filter((topic) => subscriber.topics.has(topic));
    if (concerned.length > 0) subscriber.deliver({ kind: 'change', index, topics: concerned });
  };

  // Some at a time: thousands of open pages must not hold up the requests meanwhile.
  const toEach = async (tell: (subscriber: Subscriber) => void) => {
    let told = 0;
    for (const subscriber of subscribers) {
      tell(subscriber);
      told += 1;
      if (told % TOLD_AT_ONCE === 0) await setImmediate();
    }
  };

  const changed = (topics: readonly string[] | 'everything') => {
    for (const watcher of watchers) watcher.hear(topics);
  };

  const follow = async () => {
    const entries = await entriesFrom(cursor);
    const last = entries.at(-1);
    if (last === undefined) return;
    if (entries.length > REPLAY_LIMIT) {
      cursor = await logSize();
      const index = cursor - 1;
      changed('everything');
      await toEach((subscriber) => subscriber.deliver({ kind: 'reset', index }));
      return;
    }
    cursor = last.index + 1;
    for (const { topics } of entries) changed(topics);
    for (const { index, topics } of entries) await toEach((subscriber) => deliver(subscriber, index, topics));
  };
  // One at a time, so events stay in order; one that has not begun will see what is asked for now.
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
  // What is told of was often read by then, for whoever wrote it.
  const followTo = (size: number) => following.then(() => (cursor >= size ? undefined : followSoon()));
  const followAgain = () => {
    again = undefined;
    void followSoon().catch(() => {});
  };

  const listen = async () => {
    const connecting = new pg.Client({
      ...address,
      application_name: 'truck-scale-registry live',
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
      else for (const hearer of hearers) if (hearer.channel === channel) hearer.hear(payload ?? '');
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
    // What was committed while nobody listened.
    await followSoon().catch(() => {});
    if (!isLost) client = connecting;
    if (closed) await connecting.end();
  };

  cursor = await logSize();
  await listen();

  return {
    async subscribe(topics, since, deliverEvent) {
      const held: LiveEvent[] = [];
      let replayed = false;
      // The log may be ahead of what was followed so far: what was replayed is not delivered again.
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
          if (missed.length > REPLAY_LIMIT) deliverEvent({ kind: 'reset', index: (seen = (await logSize()) - 1) });
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
    onTold(channel, hear) {
      const hearer = { channel, hear };
      hearers.add(hearer);
      return () => void hearers.delete(hearer);
    },
    onChange(hear) {
      const watcher = { hear };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    isFollowing: () => client !== undefined,
    catchUp: followSoon,
    told: () => cursor,
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
