// Rate limits: a sliding window per bucket, stored in the database so that all nodes share the counts. Buys: 5 guesses
// of a password a minute and 30 an hour for an account, whatever the number of nodes and restarts. Deletable never: a
// proxy knows no accounts.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.server.ts';

export type Limit = { max: number; windowMs: number };
export type Hit = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts a try against `limit`, in the bucket that `names` identify; as `cost` tries, if it costs so much more. A
 * refused try is not counted, so waiting always helps. Concurrent tries are counted one after another.
 */
export async function takeHit(
  db: Db,
  names: readonly string[],
  { limit, now, cost = 1 }: { limit: Limit; now: Date; cost?: number },
): Promise<Hit> {
  const bucket = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  return db.transaction().execute(async (tx) => {
    const { hits } = await tx
      .insertInto('rateLimit')
      .values({ bucket, hits: sql`'{}'` })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ bucket }))
      .returning('hits')
      .executeTakeFirstOrThrow();
    // The absolute difference: hits counted while the clock was far ahead must not lock anybody out until that time
    // comes.
    const recent = hits.filter((hit) => Math.abs(hit.getTime() - now.getTime()) < limit.windowMs);
    // The last of those that must be over before this one fits.
    const oldest = recent[recent.length + cost - limit.max - 1];
    if (oldest !== undefined) {
      const retryAfterSeconds = Math.ceil((oldest.getTime() + limit.windowMs - now.getTime()) / 1000);
      return { allowed: false, retryAfterSeconds: Math.max(1, retryAfterSeconds) };
    }
    await tx
      .updateTable('rateLimit')
      .set({ hits: [...recent, ...Array.from({ length: cost }, () => now)] })
      .where('bucket', '=', bucket)
      .execute();
    return { allowed: true };
  });
}

/** 'in 40 seconds', 'in 3 minutes': when to try again. */
export function retryIn(seconds: number): string {
  if (seconds < 90) return `in ${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}
