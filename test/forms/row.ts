// A row of the table of forms: what a person sends, and what is to be heard in each case. Where a case cannot come, the
// reason stands in its place.
import type { Person } from '#test/people.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import type { Fields } from './ground.ts';

/** Why a case cannot come. */
export type Not = { not: string };
/** `cookie`: of somebody else than the admin of all rows. */
export type Opened = {
  address: string;
  fields: Fields;
  cookie?: string;
  stale?: () => Promise<unknown>;
  gone?: () => Promise<unknown>;
};
export type Row = {
  /** Below app/. */
  route: string;
  /** The button that sends it, and the first words of the message when that fails. */
  inBrowser: { button: string; failure: string };
  isPublic?: true;
  /** `cookie`: of the admin who sends it, unless what is opened says another. */
  open: (registry: StartedRegistry, admin: Person, cookie: string) => Promise<Opened>;
  /** Each answer as a line: status, address, flash message, page. */
  done: RegExp | Not;
  refused: { fields: Fields; says: RegExp } | Not;
  stale: RegExp | Not;
  gone: RegExp | Not;
  /** The field with a file, and its name. */
  storage: { field: string; name: string } | Not;
  /** Sent twice, or again after a lost answer, it has one effect. */
  twice: true | Not;
};

export const BUTTON = { not: 'a button has nothing to refuse' };
export const NO_FILES = { not: 'it takes no file' };
export const NEW = { not: 'there is no record yet' };
export const OWN = { not: 'it is about the sender, whom the guard has asked for' };
export const LAST_COUNTS = { not: 'it says nothing of what the record was' };
export const NO_KEY = { not: 'again it does the same, or is refused' };

/** A password that is not guessed. */
export const WORDS = 'four green weighbridges here';
export const LONG = 'x'.repeat(501);
export const TOO_LONG = /^400 .*Use at most 500 characters\./;
