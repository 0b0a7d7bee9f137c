// Confirms a request to follow, by the mailed link and the button on its page. Mails begin from then on.
import { sql } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findByLink } from './links.server.ts';
import { judgeFollowed } from './judge-followed.server.ts';

export type ConfirmAnswer = { confirmed: true; rego: string } | { confirmed: false };

/** Idempotent: confirming twice has one effect. */
export async function confirmFollowing(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  token: string,
): Promise<ConfirmAnswer> {
  return db.transaction().execute(async (tx) => {
    const found = await findByLink(tx, token, 'confirm', now());
    if (found === undefined) return { confirmed: false };
    const today = todayIn(config.timeZone, now());
    const { state, nextDueOn } = await judgeFollowed(tx, found.vehicleId, today, config.timeZone);
    const { numUpdatedRows } = await tx
      .updateTable('follower')
      .set({ confirmedOn: today, toldVerdict: state, toldDueOn: nextDueOn, lookOn: sql`'-infinity'` })
      .where('id', '=', found.id)
      .where('confirmedOn', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n)
      await appendActivities(tx, [
        { kind: 'vehicle.followed', actorId: null, subject: 'follower', details: `${found.rego}: one more follows it` },
      ]);
    return { confirmed: true, rego: found.rego };
  });
}
