// An admin who has been one for less than 90 days: their word alone is not a second person's, as anybody who makes an
// account for themself has it in a minute.

export const ESTABLISHED_DAYS = 90;

/** 'added 3 days ago', after 'an administrator'. */
export const addedWords = (days: number): string =>
  days === 0 ? 'added today' : `added ${days} ${days === 1 ? 'day' : 'days'} ago`;

/** ', added 3 days ago' behind a name; '' for an admin of 90 days or more (null). */
export const addedAfter = (days: number | null): string => (days === null ? '' : `, ${addedWords(days)}`);
