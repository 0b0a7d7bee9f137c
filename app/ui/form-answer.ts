// The answer of a form's action, which the form shows.
import type { Saved } from './use-saved.ts';

/** Why something was not done: a code, for those who help and for programs, and a sentence for everybody. */
export type Cause = { code: string; sentence: string };

/** `lead`: the first words of each failure of the form. What the phone itself refuses is a sentence alone. */
export type Failure = (Cause & { lead: string }) | { lead?: never; code?: never; sentence: string };

export const failureText = ({ lead, code, sentence }: Failure): string =>
  code === undefined ? sentence : `${lead} ${code}. ${sentence}`;

/**
 * `values`: the typed texts. `saved`: the save succeeded, and the page navigates by itself. `more`: data of one form
 * only.
 */
export type FormAnswer<Field extends string = string, More = never> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  /** The errors of file fields. */
  fileErrors?: Readonly<Record<string, string>>;
  failure?: Failure;
  more?: More;
  /** A message that is no failure. */
  info?: string;
  link?: { href: string; label: string; inNewTab?: boolean };
  saved?: Saved;
  /** The changes that somebody else saved while the form was open. */
  merged?: MergedEdits;
  /** Files that are uploaded and not yet committed, by field. */
  temporaryUploads?: Readonly<Record<string, readonly { id: string; name: string }[]>>;
  /** Set in the browser when no answer arrived: the reason in two words. */
  lost?: 'offline' | 'no answer' | 'signed out';
};

/**
 * Sentences by field. `taken`: only the other person changed it. `disputed`: both did. `replaced`: the fields whose
 * text the answer has changed.
 */
type MergedEdits = {
  replaced: readonly string[];
  taken?: Readonly<Record<string, string>>;
  disputed?: Readonly<Record<string, string>>;
};
