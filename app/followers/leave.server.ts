// Stops following. The address, its links, the record of sent mails and all queued mails are deleted at once.
import { sql } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findByLink } from './links.server.ts';

/** Idempotent: an unknown or used token does nothing. */
export async function leave({ db, now }: Pick<Services, 'db' | 'now'>, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await findByLink(tx, token, 'leave', now());
    if (found === undefined) return;
    const { numDeletedRows } = await tx.deleteFrom('follower').where('id', '=', found.id).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await sql`delete from mail where facts ->> 'follower' = ${found.id}`.execute(tx);
    if (found.isConfirmed)
      await appendActivities(tx, [
        {
          kind: 'vehicle.unfollowed',
          actorId: null,
          subject: 'follower',
          details: `${found.rego}: one fewer follows it`,
        },
      ]);
  });
}
