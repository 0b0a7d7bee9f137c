// Text as people type and paste it, in one way for every field, list, file, address and search.

// Of width zero, of direction, joiners, selectors, fillers: what chats, web pages and phones leave in copied text.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const WIDE = /[\uff01-\uff5e\u3000\u{1d400}-\u{1d7ff}]/gu;
const QUOTES = '‘’‛ʼʻ′´`＇';
const DASHES = '‐‑‒–—―−－';

/** The text without the characters that nobody can see. */
export const dropUnseen = (text: string): string => text.replaceAll(UNSEEN, '');

/** The same, with full-width and mathematical letters, digits and marks as plain ones. Others stay: 'ß' is no 'SS'. */
export const plainText = (text: string): string =>
  dropUnseen(text)
    .normalize('NFC')
    .replaceAll(WIDE, (character) => character.normalize('NFKC'));

/** Without what cannot be seen, line breaks, control characters and two blanks in a row. */
export const oneLine = (text: string): string =>
  dropUnseen(text)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** Whether it has a character that turns the direction of the text around it: nobody sees what such a name says. */
export const turnsText = (text: string): boolean => /\p{Bidi_Control}/u.test(text);

/** Each of `marks` is `plain` where a name is searched; what is longer than `plain` is dropped. */
export const MARKS = {
  marks: `${QUOTES}${DASHES}\u00ad\u200b\u200c\u200d\u2060\ufeff`,
  plain: "'".repeat(QUOTES.length) + '-'.repeat(DASHES.length),
};

/** How a name is searched: O’Brien is o'brien, in one line. `holdsName` has the same in SQL. */
export const foldName = (text: string): string =>
  dropUnseen(text)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(new RegExp(`[${QUOTES}${DASHES}]`, 'gu'), (mark) => (DASHES.includes(mark) ? '-' : "'"));
