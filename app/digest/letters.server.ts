// The digest, written when it leaves: what was done meanwhile is not in it.
import { sql } from 'kysely';
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { findAccount } from '#app/access/queries.server.ts';
import { leaveHeaders } from '#app/following/letters.server.ts';
import { emailSegment } from '#app/people/email-key.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { makeStopLink } from './choose-told.server.ts';
import { itemsAt } from './find-items.server.ts';
import { countOf, TOPICS } from './topics.ts';

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

async function digest(context: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const { config, now } = context;
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
  const account = await findAccount(tx, person);
  if (account === undefined || rows.length === 0) return null;
  const origin = publicOrigin(config);
  const linkOf = (path: string) => `${origin}${path.split('/').map(emailSegment).join('/')}`;
  const sections = TOPICS.flatMap(({ topic, list }) => {
    const lines = rows.filter((row) => row.topic === topic);
    const [first] = lines;
    if (first === undefined) return [];
    const items = lines.map(({ n, label, words, path }) =>
      n > 1 ? { label: `${n} alike`, words, link: `${origin}${list}` } : { label, words, link: linkOf(path) },
    );
    const more = first.all - lines.reduce((sum, { n }) => sum + n, 0);
    if (more > 0) items.push({ label: `${more} more`, words: '', link: `${origin}${list}` });
    return [{ title: countOf(topic, first.all), items }];
  });
  const [first, ...others] = sections.map(({ title }) => title);
  const stop = await makeStopLink(tx, context, { personId: person, stops: 'all' });
  return letter(config.registryName, others.length < 2 ? [first, ...others].join(', ') : `${first}, and more`, {
    parts: [
      `Hello ${account.name},`,
      ...sections,
      'A day with nothing new sends no mail. Change what you are told:',
      { link: `${origin}/settings/tell` },
      'Stop all that may be stopped:',
      { link: stop },
    ],
    headers: leaveHeaders(stop),
  });
}
