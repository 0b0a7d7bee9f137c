// The mails to followers. Each is composed when it is sent, with its own links, or dropped if the follower has left.
import { letter, type LetterContext, type Letters, type Part } from '#app/platform/mail/letter.ts';
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { CONFIRM_WITHIN_DAYS, KEPT_AFTER_REMOVAL_DAYS } from './follower.ts';
import { makeLink } from './links.server.ts';

export const FOLLOWER_LETTERS: Letters = { 'follow-asked': followAsked, 'follower-told': followerTold };

async function followAsked({ config, now }: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const follower = await findFollower(tx, facts['follower']);
  if (follower === undefined) return null;
  const { id, rego, isConfirmed } = follower;
  const origin = publicOrigin(config);
  const leave = await leaveLink({ config, now }, tx, id);
  if (isConfirmed)
    return letter(
      config.registryName,
      `You follow ${rego}`,
      [
        `Someone, probably you, asked to follow the scale calibration of ${rego} at this address. You already follow it:`,
        { link: `${origin}/vehicles/view/${rego}` },
        ...ending(leave),
      ],
      leaveHeaders(leave),
    );
  const confirm = `${origin}/follow/confirm/${await makeLink(tx, id, 'confirm', now())}`;
  return letter(
    config.registryName,
    `Follow ${rego}?`,
    [
      `Someone, probably you, asked for an email when the scale calibration of ${rego} is due or its verdict changes.`,
      `To confirm, open this link within ${CONFIRM_WITHIN_DAYS} days and press the button:`,
      { link: confirm },
      `If you did not ask for this, you can ignore this email. We will send nothing more, and delete your address after ${CONFIRM_WITHIN_DAYS} days.`,
    ],
    leaveHeaders(leave),
  );
}

async function followerTold(context: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const follower = await findFollower(tx, facts['follower']);
  if (follower === undefined) return null;
  const { rego = '', sentence = '', cause = '', asAt = '', policy = '' } = facts;
  const [subject, first] = tidings(facts);
  const isRemoved = facts['state'] === 'removed';
  const leave = await leaveLink(context, tx, follower.id);
  return letter(
    context.config.registryName,
    subject,
    [
      first,
      isRemoved
        ? `${sentence} If it is restored within ${KEPT_AFTER_REMOVAL_DAYS} days, we will email you. After that we delete your address.`
        : sentence,
      ...(cause === '' || isRemoved ? [] : [cause]),
      `As at ${asAt}, rules version ${policy}. See the current verdict:`,
      { link: `${publicOrigin(context.config)}/vehicles/view/${rego}` },
      ...ending(leave),
    ],
    leaveHeaders(leave),
  );
}

// The subject, and the first sentence. `why`: the verdict has changed, the due date alone has moved, or its day comes near.
function tidings({ why, rego = '', word = '' }: QueuedMail['facts']): [subject: string, first: string] {
  switch (why) {
    case 'changed':
      return [`${rego}: ${word}`, `The verdict on the scale calibration of ${rego} has changed to: ${word}.`];
    case 'moved':
      return [
        `${rego}: due date changed`,
        `The due date of the scale calibration of ${rego} has changed. The verdict is: ${word}.`,
      ];
    default:
      return [`${rego}: calibration due`, `The scale calibration of ${rego} is due. The verdict is: ${word}.`];
  }
}

async function findFollower(tx: Tx, id: string | undefined) {
  if (id === undefined) return undefined;
  const found = await tx
    .selectFrom('follower')
    .innerJoin('vehicle', 'vehicle.id', 'follower.vehicleId')
    .select(['follower.id', 'vehicle.rego', 'confirmedOn'])
    .where('follower.id', '=', id)
    .executeTakeFirst();
  return found === undefined ? undefined : { ...found, isConfirmed: found.confirmedOn !== null };
}

const leaveLink = async ({ config, now }: LetterContext, tx: Tx, id: string) =>
  `${publicOrigin(config)}/follow/leave/${await makeLink(tx, id, 'leave', now())}`;

const ending = (leave: string): Part[] => [
  'You get this because you follow this vehicle. To stop these emails:',
  { link: leave },
];

/** The unsubscribe headers of RFC 2369, and of RFC 8058 for one click, which requires https. */
export const leaveHeaders = (leave: string): Record<string, string> => ({
  'List-Unsubscribe': `<${leave}>`,
  ...(leave.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
});
