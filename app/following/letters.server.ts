// The mails to followers. Each is composed when it is sent, with a link of its own, or dropped if the follower has
// left.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters, type Part } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { CONFIRM_WITHIN_DAYS } from './follower.ts';
import { findFollowing, makeLink, type Following } from './links.server.ts';

export const FOLLOWER_LETTERS: Letters = { 'follow-asked': followAsked, 'follower-told': followerTold };

const SOMEONE = 'Someone, probably you, asked';

async function followAsked(context: LetterContext, tx: Tx, mail: QueuedMail): Promise<MailText | null> {
  const found = await openMailed(context, tx, mail);
  if (found === undefined) return null;
  const { rego, trucks, isConfirmed, links, page, headers } = found;
  const { registryName } = context.config;
  if (rego !== null && isConfirmed)
    return letter(registryName, `You follow ${rego}`, {
      parts: [
        `${SOMEONE} to follow the scale calibration of ${rego} at this address. You already follow it:`,
        ...links,
      ],
      headers,
    });
  const [what, why, erased] =
    rego === null
      ? ([
          `a list of ${trucks}`,
          `one email a day when something changes on a list of ${trucks}, and 30 and 14 days before a calibration on it is due`,
          'your address and the list',
        ] as const)
      : ([
          rego,
          `an email when the scale calibration of ${rego} is due or its verdict changes`,
          'your address',
        ] as const);
  return letter(registryName, `Follow ${what}?`, {
    parts: [
      `${SOMEONE} for ${why}.`,
      `To confirm, open this link within ${CONFIRM_WITHIN_DAYS} days and press the button:`,
      { link: page },
      `If you did not ask for this, you can ignore this email. We will send nothing more, and delete ${erased} after ${CONFIRM_WITHIN_DAYS} days.`,
    ],
    headers,
  });
}

// `text`: paragraphs of lines, as they were when it was looked.
async function followerTold(context: LetterContext, tx: Tx, mail: QueuedMail): Promise<MailText | null> {
  const found = await openMailed(context, tx, mail);
  if (found === undefined) return null;
  const { subject = '', text = '' } = mail.facts;
  const paragraphs = text.split('\n\n').map((paragraph) => ({ lines: paragraph.split('\n') }));
  return letter(context.config.registryName, subject, {
    parts: [...paragraphs, ...found.links],
    headers: found.headers,
  });
}

type Mailed = Following & { page: string; links: Part[]; headers: Record<string, string> };

async function openMailed({ config, now }: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<Mailed | undefined> {
  const { follower: followerId = '' } = facts;
  const found = await findFollowing(tx, { followerId });
  if (found === undefined) return undefined;
  const origin = publicOrigin(config);
  const page = `${origin}/following/${await makeLink(tx, followerId, now())}`;
  const links =
    found.rego === null
      ? ['To see the whole list as it is today, to change it, or to stop these emails:', { link: page }]
      : [
          { link: `${origin}/vehicles/view/${found.rego}` },
          'You get this because you follow this vehicle. To stop these emails:',
          { link: `${page}/end` },
        ];
  return { ...found, page, links, headers: leaveHeaders(`${page}/end`) };
}

/** The unsubscribe headers of RFC 2369, and of RFC 8058 for one click, which requires https. */
export const leaveHeaders = (leave: string): Record<string, string> => ({
  'List-Unsubscribe': `<${leave}>`,
  ...(leave.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
});
