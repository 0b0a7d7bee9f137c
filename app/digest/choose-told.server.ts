// What a person chose to be told, and how soon; and the links in the mails, which stop them.
import { sql } from 'kysely';
import { linkTokenHash, newLinkToken, publicOrigin } from '#app/access/one-time-link.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { LetterContext } from '#app/platform/mail/letter.ts';
import { STOPPABLE, topicsFor, type Pace } from './topics.ts';

type Choices = Readonly<Record<string, Pace>>;

/** Of each topic of `role`, the usual pace where nothing was chosen. */
export async function listChoices(db: Db | Tx, personId: string, role: string): Promise<Choices> {
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

/** All that may be stopped, or the weekly mail alone. Idempotent. What waits in the outbox is not sent then. */
export function stopMails(db: Db, { personId, stops }: { personId: string; stops: Stops }): Promise<void> {
  const stopped = STOPPABLE.filter(({ topic }) => stops === 'all' || topic === stops);
  return choose(db, personId, Object.fromEntries(stopped.map(({ topic }) => [topic, 'never' as const])));
}

type Stops = 'weekly' | 'all';

/** Makes the address of a new link that stops the weekly mail, or all. */
export async function makeStopLink(
  tx: Tx,
  { config, now }: LetterContext,
  { personId, stops }: { personId: string; stops: Stops },
): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('weeklyMailLink').values({ tokenHash, personId, madeAt: now(), stops }).execute();
  return `${publicOrigin(config)}/follow/mine/${token}`;
}

type Stop = { personId: string; stops: Stops; isStopped: boolean };

/** Whose mails a link stops, and whether they still come. Undefined: there is no such link. */
export async function findByStopLink(db: Db, token: string): Promise<Stop | undefined> {
  const { rows } = await sql<Stop>`
    select l.person_id, l.stops, case l.stops when 'all' then ${STOPPABLE.length} else 1 end <= (
      select count(*) from tell_choice c
      where c.person_id = l.person_id and c.pace = 'never' and (l.stops = 'all' or c.topic = l.stops)) as is_stopped
    from weekly_mail_link l where l.token_hash = ${linkTokenHash(token) ?? null}`.execute(db);
  return rows[0];
}
