// Apart from the rules of plates, which public pages need not load.

/**
 * The text on the plate, of a record's rego: that of a second record with one text has its state behind it, as in
 * 123ABC-QLD.
 */
export const plateText = (rego: string): string => rego.split('-', 1)[0] ?? rego;
