// A three-way merge of a form's fields, for when somebody else saved the record while the form was open.

type Texts = Readonly<Record<string, string>>;

/**
 * `taken`: only the other person changed it, so their text applies. `disputed`: both changed it, to different texts. A
 * field that only the sender changed is in neither list.
 */
export type Merge<Field extends string> = { taken: Field[]; disputed: Field[] };

/**
 * `opened`: the texts when the form was opened. A field that differs and whose opened text is unknown is `disputed`.
 */
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

/** The name of the checkboxes for "keep theirs". Each value is the name of a field. */
export const KEEP_THEIRS = 'keep_theirs';

/**
 * Sets each field of `kept` back to its opened text, so that the merge takes the other person's text. Returns the
 * fields for which the opened text is known.
 */
export function keepTheirs(fields: Map<string, string>, kept: readonly string[]): string[] {
  return kept.filter((field) => {
    const opened = fields.get(openedName(field));
    if (opened !== undefined) fields.set(field, opened);
    return opened !== undefined;
  });
}
