// What a form's action answers, to be shown with the form again.
import type { NotSent } from './keep-typed.ts';
import type { Saved } from './use-saved.ts';

/** `values`: what was typed. `saved`: it was saved, and the page goes on by itself. */
export type FormAnswer<Field extends string = string> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  failure?: string;
  link?: { href: string; label: string; inNewTab?: boolean };
  saved?: Saved;
};

/** The answer for a form that did not arrive: everything as it was typed. */
export const notSent = (failure: string, { typed, cause, isSignedOut }: NotSent): FormAnswer => ({
  values: typed,
  errors: {},
  failure: `${failure} ${cause} `,
  ...(isSignedOut ? { link: { href: '/login', label: 'Sign in', inNewTab: true } } : {}),
});
