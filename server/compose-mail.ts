// Every kind of mail that the registry writes, each from its own domain.
import { ADMIN_LETTERS } from '#app/admins/letters.server.ts';
import { APPLICATION_LETTERS } from '#app/applications/letters.server.ts';
import { DIGEST_LETTERS } from '#app/digest/letters.server.ts';
import { WEEKLY_LETTERS } from '#app/digest/weekly-mail.server.ts';
import { FOLLOWER_LETTERS } from '#app/following/letters.server.ts';
import type { LetterContext, Letters } from '#app/platform/mail/letter.ts';
import type { ComposeMail } from '#app/platform/mail/mail.server.ts';
import { PEOPLE_LETTERS } from '#app/people/letters.server.ts';
import { SIGN_IN_LETTERS } from '#app/sign-in/letters.server.ts';
import { REPORT_LETTERS } from '#app/wrong-records/letters.server.ts';

const LETTERS: Letters = {
  ...SIGN_IN_LETTERS,
  ...ADMIN_LETTERS,
  ...APPLICATION_LETTERS,
  ...DIGEST_LETTERS,
  ...FOLLOWER_LETTERS,
  ...PEOPLE_LETTERS,
  ...REPORT_LETTERS,
  ...WEEKLY_LETTERS,
};

/** Composes each kind of mail. Throws for a kind that nobody writes. */
export const composeMail =
  (context: LetterContext): ComposeMail =>
  async (tx, mail) => {
    const compose = LETTERS[mail.kind];
    if (compose === undefined) throw new Error(`there is no mail of the kind ${mail.kind}`);
    return compose(context, tx, mail);
  };
