// Where what is public is read: from a replica of the database (DATABASE_READ_URL) while that is as good as the database
// itself, else from that. Whoever is signed in is never sent there: a writer reads their own writes.
//
// A replica is as good when it has replayed every entry of the activity log, which each write appends to, that this node
// has told its pages of, and when at some moment of the last seconds it had all that the database had. So no verdict is
// older than that, and no page is older than the update that made it reload. It holds for any kind of replication, and
// for a database that was no replica at all: the same entry must have the same time in both.
import { sql } from 'kysely';
import type pg from 'pg';
import { FOR_REPLICA, openDatabase, type Db } from '#app/platform/database/database.server.ts';
import type { LiveUpdates } from './live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';

export type PublicReads = {
  /**
   * Answers by `read`, from the replica where that will do. Of what a page asks for when it hears of a change `newest` is
   * to be true: another node may have told it. Where the replica fails, `read` is called again with the database.
   */
  answer(newest: boolean, read: (db: Db) => Promise<Response>): Promise<Response>;
  /** The connections to the replica, if there is one. */
  pool: pg.Pool | undefined;
  close(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const LAGS_AT_MOST_MS = 5_000;

type Given = { db: Db; live: Pick<LiveUpdates, 'told'>; log: Logger };

/** Reads from `replicaUrl` too, if there is one. A replica that is away stops nothing. */
export async function openPublicReads(given: Given, replicaUrl: string | undefined): Promise<PublicReads> {
  if (replicaUrl === undefined)
    return { answer: (_newest, read) => read(given.db), pool: undefined, close: async () => {} };
  const { db: replica, pool } = openDatabase({ connectionString: replicaUrl }, { patience: FOR_REPLICA });
  return { ...(await followReplica(given, replica)), pool };
}

async function followReplica({ db, live, log }: Given, replica: Db): Promise<Omit<PublicReads, 'pool'>> {
  // What is known of the replica: that it has the first `size` entries, and had all that the database had at `wholeAt`.
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

  const isAsGood = async (newest: boolean) => {
    const isRecent = () => performance.now() - wholeAt <= LAGS_AT_MOST_MS;
    if (!isRecent()) return false;
    const wanted = newest ? Math.max(live.told(), await sizeOf(db)) : live.told();
    if (size < wanted) size = Math.max(size, await sizeOf(replica));
    return size >= wanted && isRecent();
  };
  return {
    async answer(newest, read) {
      try {
        if (await isAsGood(newest)) {
          const answer = await read(replica);
          if (answer.status < 500) return answer;
          throw new Error(`answered ${answer.status}`);
        }
      } catch (error) {
        // Until it is looked at again.
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

async function sizeOf(db: Db): Promise<number> {
  return (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
}

type State = { size: number; lastAt: string | null; migrations: number };

// `lastAt`: of the last of the first `size` entries.
async function stateOf(db: Db, size?: number): Promise<State> {
  const { rows } = await sql<State>`select size,
      (select at::text from activity_log where index = coalesce(${size ?? null}::bigint, size) - 1) as "lastAt",
      (select count(*) from schema_migration) as migrations
    from activity_state`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('the database has no activity log');
  return state;
}
