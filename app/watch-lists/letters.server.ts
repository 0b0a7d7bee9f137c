// The mails to followers of lists. Each is composed when it is sent, with a link of its own, or dropped if the list has ended.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { CONFIRM_WITHIN_DAYS } from '#app/followers/follower.ts';
import { leaveHeaders } from '#app/followers/letters.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters, type Part } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { counted } from '#app/ui/counted.ts';
import { makeListLink } from './links.server.ts';

export const WATCH_LIST_LETTERS: Letters = { 'list-asked': listAsked, 'list-told': listTold };

async function listAsked(context: LetterContext, tx: Tx, mail: QueuedMail): Promise<MailText | null> {
  const found = await findList(context, tx, mail);
  if (found === undefined) return null;
  const { trucks, link, headers } = found;
  return letter(
    context.config.registryName,
    `Follow a list of ${trucks}?`,
    [
      `Someone, probably you, asked for one email a day when something changes on a list of ${trucks}, and 30 and 14 days before a calibration on it is due.`,
      `To confirm, open this link within ${CONFIRM_WITHIN_DAYS} days and press the button:`,
      { link },
      `If you did not ask for this, you can ignore this email. We will send nothing more, and delete your address and the list after ${CONFIRM_WITHIN_DAYS} days.`,
    ],
    headers,
  );
}

async function listTold(context: LetterContext, tx: Tx, mail: QueuedMail): Promise<MailText | null> {
  const found = await findList(context, tx, mail);
  if (found === undefined) return null;
  const { trucks, link, headers } = found;
  const { asAt = '', changed = '', in30 = '', in14 = '', changedCount = '0', dueCount = '0' } = mail.facts;
  return letter(
    context.config.registryName,
    `Your list: ${subjectOf(Number(changedCount), Number(dueCount))}`,
    [
      `You follow a list of ${trucks}. This is what is new as at ${asAt}.`,
      ...part('What has changed:', changed),
      ...part('Due within 14 days:', in14),
      ...part('Due within 30 days:', in30),
      'To see the whole list as it is today, to change it, or to stop these emails:',
      { link },
    ],
    headers,
  );
}

const part = (heading: string, lines: string): Part[] =>
  lines === '' ? [] : [{ lines: [heading, ...lines.split('\n')] }];

const subjectOf = (changed: number, due: number): string =>
  [
    changed > 0 ? `${changed.toLocaleString('en-AU')} changed` : '',
    due > 0 ? `${due.toLocaleString('en-AU')} soon due` : '',
  ]
    .filter((words) => words !== '')
    .join(', ');

async function findList({ config, now }: LetterContext, tx: Tx, { facts }: QueuedMail) {
  const found = await tx
    .selectFrom('watchList')
    .select(['id', 'list'])
    .where('id', '=', facts['list'] ?? '')
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const origin = publicOrigin(config);
  const token = await makeListLink(tx, found.id, now());
  return {
    trucks: counted(found.list.split('\n').length, 'truck', 'trucks'),
    link: `${origin}/lists/${token}`,
    headers: leaveHeaders(`${origin}/lists/${token}/end`),
  };
}
