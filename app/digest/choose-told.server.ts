// What a person chose to be told, and how soon.
import type { Db } from '#app/platform/database/database.server.ts';
import { chooseWeeklyMail } from './weekly-mail.server.ts';
import { STOPPABLE, topicsFor, type Pace } from './topics.ts';

type Choices = Readonly<Record<string, Pace>>;

/** Of each topic of `role`, the usual pace where nothing was chosen. */
export async function listChoices(db: Db, personId: string, role: string): Promise<Choices> {
  const chosen = await db.selectFrom('tellChoice').select(['topic', 'pace']).where('personId', '=', personId).execute();
  return Object.fromEntries(
    topicsFor(role).map(({ topic, usual }) => [topic, chosen.find((row) => row.topic === topic)?.pace ?? usual]),
  );
}

/** Idempotent. */
export async function choose(db: Db, personId: string, choices: Choices): Promise<void> {
  const rows = Object.entries(choices).map(([topic, pace]) => ({ personId, topic, pace }));
  if (rows.length === 0) return;
  await db
    .insertInto('tellChoice')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['personId', 'topic']).doUpdateSet((eb) => ({ pace: eb.ref('excluded.pace') })),
    )
    .execute();
}

/** All that may be stopped, or the weekly mail. Idempotent. */
export async function stopMails(db: Db, { personId, stops }: { personId: string; stops: 'weekly' | 'all' }) {
  await chooseWeeklyMail(db, personId, 'stopped');
  if (stops === 'all')
    await choose(db, personId, Object.fromEntries(STOPPABLE.map(({ topic }) => [topic, 'never' as const])));
}
