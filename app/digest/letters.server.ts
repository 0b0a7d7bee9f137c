// The digest, written when it leaves: what was done meanwhile is not in it.
import { sql } from 'kysely';
import { linkTokenHash, newLinkToken, publicOrigin } from '#app/access/one-time-link.server.ts';
import { leaveHeaders } from '#app/following/letters.server.ts';
import { emailSegment } from '#app/people/email-key.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { counted } from '#app/ui/counted.ts';
import { itemsAt, RECIPIENTS } from './find-items.server.ts';
import { STOPPABLE, TOPICS } from './topics.ts';

/** So many of a topic are in a mail, the oldest first. */
const LINES_OF_TOPIC = 20;

const replaced = () => null;
export const DIGEST_LETTERS: Letters = {
  digest,
  // Queued before there was a digest, which tells what they would.
  'application-waiting': replaced,
  'visit-decided': replaced,
  'pattern-asked': replaced,
};

/** Visits with the same words are one line, of `n`; `all`: how many items the topic has. */
type Line = { topic: string; n: number; label: string; words: string; path: string; all: number };

async function digest({ config, now }: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const { person = '', digest: id = '' } = facts;
  const moment = { now: now(), today: todayIn(config.timeZone, now()), policy: await currentPolicy(tx) };
  const { rows } = await sql<Line>`
    select * from (
      select topic, count(*)::int as n, min(label) as label, words, min(path) as path,
        (sum(count(*)) over (partition by topic))::int as all,
        row_number() over (partition by topic order by min(at), min(key)) as place
      from ${itemsAt(['once', 'six'], moment)} i join told_item t using (person_id, topic)
      where t.item = i.key and t.person_id = ${person}::uuid and t.digest = ${id}::uuid
      group by topic, words, case when topic = 'visits' then '' else key end) line
    where place <= ${LINES_OF_TOPIC} order by place`.execute(tx);
  const { rows: found } = await sql<{ name: string }>`select name from ${RECIPIENTS} p
    where person_id = ${person}::uuid limit 1`.execute(tx);
  if (found[0] === undefined || rows.length === 0) return null;
  const origin = publicOrigin(config);
  const linkOf = (path: string) => `${origin}${path.split('/').map(emailSegment).join('/')}`;
  const sections = TOPICS.flatMap(({ topic, counts, list }) => {
    const lines = rows.filter((row) => row.topic === topic);
    const [first] = lines;
    if (first === undefined) return [];
    const items = lines.map(({ n, label, words, path }) =>
      n > 1 ? { label: `${n} alike`, words, link: `${origin}${list}` } : { label, words, link: linkOf(path) },
    );
    const more = first.all - lines.reduce((sum, { n }) => sum + n, 0);
    if (more > 0) items.push({ label: `${more} more`, words: '', link: `${origin}${list}` });
    return [{ title: counted(first.all, counts[0], counts[1]), items }];
  });
  const [first, ...others] = sections.map(({ title }) => title);
  const stop = `${origin}/follow/mine/${await makeStopLink(tx, person, { stops: 'all', madeAt: now() })}`;
  return letter(config.registryName, others.length < 2 ? [first, ...others].join(', ') : `${first}, and more`, {
    parts: [
      `Hello ${found[0].name},`,
      ...sections,
      'A day with nothing new sends no mail. Change what you are told:',
      { link: `${origin}/settings/tell` },
      'Stop all that may be stopped:',
      { link: stop },
    ],
    headers: leaveHeaders(stop),
  });
}

type Stops = 'weekly' | 'all';

/** The token of a new link that stops the weekly mail, or all. */
export async function makeStopLink(
  tx: Tx,
  personId: string,
  { stops, madeAt }: { stops: Stops; madeAt: Date },
): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('weeklyMailLink').values({ tokenHash, personId, madeAt, stops }).execute();
  return token;
}

/** Whose mails a link stops, and whether they still come. Undefined: there is no such link. */
export async function findByStopLink(
  db: Db,
  token: string,
): Promise<{ personId: string; stops: Stops; isStopped: boolean } | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const { rows } = await sql<{ personId: string; stops: Stops; isStopped: boolean }>`
    select l.person_id, l.stops, coalesce(w.is_stopped, false) and (l.stops = 'weekly' or ${STOPPABLE.length} <= (
      select count(*) from tell_choice c where c.person_id = l.person_id and c.pace = 'never')) as is_stopped
    from weekly_mail_link l left join weekly_mail w using (person_id) where l.token_hash = ${tokenHash}`.execute(db);
  return rows[0];
}
