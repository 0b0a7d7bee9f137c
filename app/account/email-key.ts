/** An address in a URL has commas for its dots, as the former database's keys had. */
export const emailKey = (email: string): string => email.replaceAll('.', ',');
