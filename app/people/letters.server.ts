// The mail to every admin about what needs two people, so that nobody does it alone with two accounts unseen.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import { STAFF, isStaffRole } from './staff.ts';
import type { StaffRole } from '#database/people-tables.ts';
import { queueMail, type MailText, type QueuedMail } from '#app/platform/mail/mail.server.ts';

/** What is told, with its subject, and its words behind who did it. `{role}`: of the person it is about. */
const TOLD = {
  'admin-added': ['An {role} was added', 'added an {role}'],
  'admin-removed': ['An {role} was removed', 'removed an {role}'],
  'removal-confirmed': ['The removal of an {role} stands', 'confirmed the removal of an {role}'],
  'removal-refused': ['The removal of an {role} was refused', 'refused the removal of an {role}'],
  'policy-proposed': ['Less strict rules are proposed', 'proposed less strict rules'],
  'policy-confirmed': ['Less strict rules are in force', 'let less strict rules take effect'],
  'withdrawal-proposed': ['A withdrawal is proposed', 'proposed to withdraw a weighbridge'],
  'withdrawal-confirmed': ['A weighbridge was withdrawn', 'withdrew a weighbridge'],
  'lift-proposed': ['Lifting a withdrawal is proposed', 'proposed to lift the withdrawal of a weighbridge'],
  'lift-confirmed': ['A withdrawal was lifted', 'lifted the withdrawal of a weighbridge'],
} as const;

/**
 * `about`: the person's address, or what it is about. `role`: theirs. `by`: a name. `path`: the page where one looks at
 * it.
 */
type Told = { what: keyof typeof TOLD; about: string; role?: StaffRole; by: string; path: string };

/** Queues a mail to every admin, also to the one who did it: it may have been somebody else in their name. */
export async function mailAdmins(tx: Tx, { what, about, role = 'admin', by, path }: Told): Promise<void> {
  const admins = await tx
    .selectFrom('admin')
    .select('email')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('deletedAt', 'is', null),
        exists(selectFrom('adminRemoval').whereRef('adminId', '=', 'admin.id').where('outcome', 'is', null)),
      ]),
    )
    .orderBy('email')
    .execute();
  // `email`: so that an erasure finds the mails about a person.
  const facts = { what, by, path, email: about, role };
  for (const { email } of admins) await queueMail(tx, { kind: 'two-people', recipient: email, facts });
}

export const PEOPLE_LETTERS: Letters = { 'two-people': twoPeople };

const isTold = (what: string): what is keyof typeof TOLD => Object.hasOwn(TOLD, what);

function twoPeople({ config }: LetterContext, _tx: Tx, { facts }: QueuedMail): MailText {
  // One that was queued before there were more roles names none.
  const { what = '', by = '', email = '', path = '', role = 'admin' } = facts;
  if (!isTold(what) || !isStaffRole(role)) throw new Error(`nothing is told of: ${what}, ${role}`);
  const [subject, words] = TOLD[what].map((text) => text.replace('{role}', STAFF[role].inWords));
  return letter(config.registryName, subject ?? '', {
    parts: [
      `${by} ${words}: ${email}.`,
      'Every administrator gets this email. If it surprises you, ask the others, and look here:',
      { link: `${publicOrigin(config)}${path}` },
    ],
  });
}
