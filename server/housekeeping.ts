// What falls due by itself: search counts are folded, what has run out is removed, and what a killed import left is made.
import { sql } from 'kysely';
import { sweepFiles, sweepStore } from '#app/files/sweep-files.server.ts';
import { sweepFollowers, tellFollowers } from '#app/followers/tell-followers.server.ts';
import { completeIndexes } from '#app/import/deferred-indexes.server.ts';
import type { Turn } from '#app/platform/database/one-at-a-time.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';

const FOLD_EVERY_MS = 5_000;
const TELL_EVERY_MS = 10_000;
const INDEXES_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
// Reads the names of all files.
const SWEEP_STORE_EVERY_MS = 6 * 60 * 60 * 1000;

/** Begins it, on the one node whose turn it is. Returns how to stop, which waits for what is under way. */
export async function keepHouse({ db, files, config, log, now }: Services, turn: Turn): Promise<() => Promise<void>> {
  // At once too: a node that takes the turn over may be the first in hours.
  const every = (ms: number, name: string, work: () => Promise<unknown>) => {
    let working: Promise<unknown> | undefined;
    const run = () => {
      if (turn.isOver()) return;
      working ??= work()
        .catch((error: unknown) => log.warn({ err: error }, name))
        .finally(() => (working = undefined));
    };
    const timer = setInterval(run, ms);
    run();
    return async () => {
      clearInterval(timer);
      await working;
    };
  };
  const stops = [
    every(FOLD_EVERY_MS, 'folding search counts', () => sql`select fold_vehicle_grams()`.execute(db)),
    every(TELL_EVERY_MS, 'telling followers', () => tellFollowers({ db, config, now }, turn.isOver)),
    every(INDEXES_EVERY_MS, 'making the indexes that an import left out', () => completeIndexes(db)),
    every(SWEEP_EVERY_MS, 'sweeping', async () => {
      await sweep(db);
      await sweepFollowers({ db, now });
      if (!turn.isOver()) await sweepFiles({ db, files }, now());
    }),
    every(SWEEP_STORE_EVERY_MS, 'sweeping the file store', () => sweepStore({ db, files }, now(), turn.isOver)),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

async function sweep(db: Services['db']): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db);
  await sql`delete from verification where expires_at < now()`.execute(db);
  await sql`delete from reset_token where expires_at < now()`.execute(db);
  await sql`delete from form_submission where at < now() - interval '24 hours'`.execute(db);
  await sql`delete from rate_limit where not exists (
    select from unnest(hits) h where h > now() - interval '3 hours')`.execute(db);
}
