// How often something may be tried: a sliding window per bucket, kept in the database so that every node counts alike.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.server.ts';

/** At most `max` tries within `windowMs`. */
export type Limit = { max: number; windowMs: number };
export type Hit = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts a try against `limit` for the bucket that `names` spell. A refused try is not counted, so waiting always
 * helps. Concurrent tries are counted one after another.
 */
export async function takeHit(db: Db, names: readonly string[], limit: Limit, now: Date): Promise<Hit> {
  const bucket = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  return db.transaction().execute(async (tx) => {
    const { hits } = await tx
      .insertInto('rateLimit')
      .values({ bucket, hits: sql`'{}'` })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ bucket }))
      .returning('hits')
      .executeTakeFirstOrThrow();
    // Either way: what was counted while the clock was far ahead must not lock anybody out until it is there again.
    const recent = hits.filter((hit) => Math.abs(hit.getTime() - now.getTime()) < limit.windowMs);
    const [oldest] = recent;
    if (recent.length >= limit.max && oldest !== undefined) {
      const retryAfterSeconds = Math.ceil((oldest.getTime() + limit.windowMs - now.getTime()) / 1000);
      return { allowed: false, retryAfterSeconds: Math.max(1, retryAfterSeconds) };
    }
    await tx
      .updateTable('rateLimit')
      .set({ hits: [...recent, now] })
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
