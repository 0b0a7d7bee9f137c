// What falls due by itself: search counts are folded, and what has run out is removed.
import { sql } from 'kysely';
import { sweepFiles } from '#app/files/sweep-files.server.ts';
import type { Services } from '#app/platform/services.server.ts';

const FOLD_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Begins it. Returns how to stop. */
export function keepHouse({ db, files, log, now }: Services): () => Promise<void> {
  const run = (name: string, work: () => Promise<unknown>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, name));
  const folding = setInterval(
    run('folding search counts', () => sql`select fold_vehicle_grams()`.execute(db)),
    FOLD_EVERY_MS,
  );
  const sweeping = setInterval(
    run('sweeping', async () => {
      await sweep(db);
      await sweepFiles({ db, files }, now());
    }),
    SWEEP_EVERY_MS,
  );
  return async () => {
    clearInterval(folding);
    clearInterval(sweeping);
  };
}

async function sweep(db: Services['db']): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db);
  await sql`delete from verification where expires_at < now()`.execute(db);
  await sql`delete from reset_token where expires_at < now()`.execute(db);
  await sql`delete from form_submission where at < now() - interval '24 hours'`.execute(db);
  await sql`delete from rate_limit where not exists (
    select from unnest(hits) h where h > now() - interval '3 hours')`.execute(db);
}
