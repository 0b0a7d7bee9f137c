// Public pages and the API are read from a replica (DATABASE_READ_URL) while it is fresh, else from the database
// itself. Requests with a session never use the replica, so that writers read their own writes.
//
// A replica is fresh on two conditions. It has replayed every entry of the activity log of which this node has notified
// its pages; each write appends to that log. And at some moment of the last 5 s it had every entry that the database
// had. So no verdict is older than that, and no page is older than the update that made it reload. This works for any
// kind of replication. It also detects a database that is not a replica: the same entry must have the same time in
// both.
// Buys: no read of the public reaches the database, for two small statements a second. Deletable when nobody sets
// DATABASE_READ_URL; the response cache takes most public reads without it.
import { sql } from 'kysely';
import type pg from 'pg';
import { FOR_REPLICA, openDatabase, setPrimary, type Db } from '#app/platform/database/database.server.ts';
import { sizeOfLog, type LiveUpdates } from './live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';

type Wanted = 'newest' | 'notified';

export type PublicReads = {
  /**
   * Answers by `read`, with the replica if it is fresh. `newest` is for a page that reloads its data: another node may
   * have notified it of a change that this node does not know yet. When the replica fails, `read` is called again with
   * the database.
   */
  answer(wanted: Wanted, read: (db: Db) => Promise<Response>): Promise<Response>;
  pool: pg.Pool | undefined;
  close(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const LAGS_AT_MOST_MS = 5_000;

type ReadServices = { db: Db; live: Pick<LiveUpdates, 'notifiedSize'>; log: Logger };

/**
 * Reads from `replicaUrl` too, if it is given. An unavailable replica does not stop the start, and no answer fails by
 * it.
 */
export async function openPublicReads(services: ReadServices, replicaUrl: string | undefined): Promise<PublicReads> {
  if (replicaUrl === undefined)
    return { answer: (_wanted, read) => read(services.db), pool: undefined, close: async () => {} };
  const { db: replica, pool } = openDatabase({ connectionString: replicaUrl }, { patience: FOR_REPLICA });
  setPrimary(replica, services.db);
  return { ...(await followReplica(services, replica)), pool };
}

async function followReplica({ db, live, log }: ReadServices, replica: Db): Promise<Omit<PublicReads, 'pool'>> {
  // Known about the replica: it has the first `size` entries, and at the time `wholeAt` it had all that the database
  // had.
  let size = 0;
  let wholeAt = -Infinity;
  let isUsed: boolean | undefined;

  const look = async () => {
    const asked = performance.now();
    const here = await stateOf(db);
    const there = await stateOf(replica, here.size).catch((error: unknown) => {
      wholeAt = -Infinity;
      throw error;
    });
    size = there.size;
    if (there.size < here.size) return;
    if (there.lastAt !== here.lastAt || there.migrations !== here.migrations) {
      wholeAt = -Infinity;
      throw new Error('DATABASE_READ_URL is no replica of DATABASE_URL, or of an older version of it');
    }
    wholeAt = asked;
  };
  const keepLooking = async () => {
    let trouble: unknown;
    await look().catch((error: unknown) => (trouble = error));
    const isGood = performance.now() - wholeAt <= LAGS_AT_MOST_MS;
    if (isGood !== isUsed)
      log[isGood ? 'info' : 'warn'](
        { err: trouble },
        isGood ? 'public pages are read from the replica' : 'public pages are read from the database: the replica lags',
      );
    isUsed = isGood;
  };
  await keepLooking();
  let looking = Promise.resolve();
  const timer = setInterval(() => (looking = looking.then(keepLooking)), LOOK_EVERY_MS);

  const isAsGood = async (wanted: Wanted) => {
    const isRecent = () => performance.now() - wholeAt <= LAGS_AT_MOST_MS;
    if (!isRecent()) return false;
    const least = Math.max(live.notifiedSize(), wanted === 'newest' ? await sizeOfLog(db) : 0);
    if (size < least) size = Math.max(size, await sizeOfLog(replica));
    return size >= least && isRecent();
  };
  return {
    async answer(wanted, read) {
      try {
        if (await isAsGood(wanted)) {
          const answer = await read(replica);
          if (answer.status < 500) return answer;
          throw new Error(`answered ${answer.status}`);
        }
      } catch (error) {
        // The replica is not used until the next look.
        wholeAt = -Infinity;
        log.warn({ err: error }, 'a page could not be read from the replica');
      }
      return read(db);
    },
    async close() {
      clearInterval(timer);
      await looking;
      await replica.destroy();
    },
  };
}

type State = { size: number; lastAt: string | null; migrations: number };

// `lastAt`: the time of entry `size - 1`; without `size`, of the last entry.
async function stateOf(db: Db, size?: number): Promise<State> {
  const { rows } = await sql<State>`select size,
      (select at::text from activity_log where index = coalesce(${size ?? null}::bigint, size) - 1) as last_at,
      (select count(*) from schema_migration) as migrations
    from activity_state`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('the database has no activity log');
  return state;
}
