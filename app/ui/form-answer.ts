// What a form's action answers, to be shown with the form again.
import type { MergedEdits } from './merged-edits.tsx';
import type { Saved } from './use-saved.ts';

/** `values`: what was typed. `saved`: it was saved, and the page goes on by itself. */
export type FormAnswer<Field extends string = string> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  /** At a file field. */
  fileErrors?: Readonly<Record<string, string>>;
  failure?: string;
  /** A refusal that is no failure. */
  info?: string;
  link?: { href: string; label: string; inNewTab?: boolean };
  saved?: Saved;
  /** What somebody else saved while the form was open. */
  merged?: MergedEdits;
  /** Files that were uploaded and wait for the form, by field. */
  staged?: Readonly<Record<string, readonly { id: string; name: string }[]>>;
  /** Made in the browser when no answer came: why, in two words. */
  lost?: 'offline' | 'no answer' | 'signed out';
};
