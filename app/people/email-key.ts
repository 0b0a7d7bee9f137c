/** An address in a URL has commas for its dots, as the former database's keys had. */
export const emailKey = (email: string): string => email.replaceAll('.', ',');
/** The key as part of an address: legible, whatever it holds. */
export const emailSegment = (email: string): string =>
  encodeURIComponent(emailKey(email)).replaceAll('%40', '@').replaceAll('%2C', ',').replaceAll('%2B', '+');
