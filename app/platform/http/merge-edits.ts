// What becomes of a form's fields when somebody else saved the record while it was open: three texts a field, compared.

type Texts = Readonly<Record<string, string>>;

/**
 * `taken`: only they changed it, so theirs stands. `disputed`: both changed it, each to something else. A field that only
 * the sender changed is in neither.
 */
export type Merge<Field extends string> = { taken: Field[]; disputed: Field[] };

/** `opened`: the texts when the form was opened; where one is unknown, a difference may be the sender's own change. */
export function mergeEdits<Field extends string>(
  fields: readonly Field[],
  { opened, typed, now }: { opened: Texts; typed: Texts; now: Texts },
): Merge<Field> {
  const merge: Merge<Field> = { taken: [], disputed: [] };
  for (const field of fields) {
    if (typed[field] === now[field] || opened[field] === now[field]) continue;
    merge[typed[field] === opened[field] ? 'taken' : 'disputed'].push(field);
  }
  return merge;
}

/** The name of the hidden field that carries a field's text as it was when the form was opened. */
export const openedName = (field: string): string => `opened_${field}`;

/** The name of the boxes whose values are the fields in which the sender keeps what the other person saved. */
export const KEEP_THEIRS = 'keep_theirs';

/**
 * Puts the text that the form was opened with where the sender keeps theirs: then it is not their change. Returns which
 * fields these are.
 */
export function keepTheirs(fields: Map<string, string>, kept: readonly string[]): string[] {
  return kept.filter((field) => {
    const opened = fields.get(openedName(field));
    if (opened !== undefined) fields.set(field, opened);
    return opened !== undefined;
  });
}
