/** The key of an email address: commas for dots, as in the former database, whose URLs still work. */
export const emailKey = (email: string): string => email.replaceAll('.', ',');
/** The key as a URL path segment. `@`, `,` and `+` stay unescaped, so that it is legible. */
export const emailSegment = (email: string): string =>
  encodeURIComponent(emailKey(email)).replaceAll('%40', '@').replaceAll('%2C', ',').replaceAll('%2B', '+');
/** The mailbox that an address reaches: limits of mails count it, as `name+anything@` is one mailbox at most hosts. */
export const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');
