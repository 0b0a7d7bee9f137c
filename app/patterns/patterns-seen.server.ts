// What a visit adds to patterns by itself, for the admin who decides about it. Nothing is listed by it.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { METHOD_VERSION } from './method.ts';
import { chanceWords, numberWords, patternName } from './present-finding.ts';

export type SeenPattern = { name: string; numbers: string };

/** Notes that `who` looked, once a day, if there is something to see. */
export async function patternsSeen(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  visitId: string,
): Promise<SeenPattern[]> {
  const rows = await db
    .selectFrom('patternSeen')
    .select(['pattern', 'n', 'hits', 'p'])
    .where('visitId', '=', visitId)
    .where('methodVersion', '=', METHOD_VERSION)
    .orderBy('p')
    .execute();
  if (rows.length > 0) await noteSeen();
  return rows.map(({ pattern, n, hits, p }) => ({
    name: patternName(pattern),
    numbers: `${numberWords({ n, hits })} of the technician’s, ${chanceWords(p)}`,
  }));

  async function noteSeen(): Promise<void> {
    const since = instantOfDay(todayIn(config.timeZone, now()), config.timeZone);
    const before = await db
      .selectFrom('activityLog')
      .innerJoin('actor', 'actor.id', 'activityLog.actorId')
      .select('index')
      .where('subject', '=', 'visit')
      .where('subjectId', '=', visitId)
      .where('kind', '=', 'pattern.opened')
      .where('actor.personId', '=', who.personId)
      .where('occurredAt', '>=', since)
      .limit(1)
      .executeTakeFirst();
    if (before !== undefined) return;
    await db.transaction().execute(async (tx) => {
      const actorId = await actorOf(tx, who);
      const details = rows.map(({ pattern }) => patternName(pattern)).join(', ');
      await appendActivity(tx, {
        kind: 'pattern.opened',
        actorId,
        subject: 'visit',
        subjectId: visitId,
        details,
        persons: [who.personId],
      });
    });
  }
}
