// Which truck a text names in this registry: a state is dropped where nobody ever had the plate as it was typed.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { parseRego, type ParsedRego } from './vehicle.ts';

/** Each of `texts` parsed, in their order. It has `without` only where its state was dropped. */
export async function readRegos(db: Db | Tx, texts: readonly string[]): Promise<ParsedRego[]> {
  const parsed = texts.map(parseRego);
  const asked = parsed.flatMap((one) => (one.ok && one.without !== undefined ? [one.rego] : []));
  const rows =
    asked.length === 0 ? [] : await db.selectFrom('vehicle').select('rego').where('rego', 'in', asked).execute();
  const known = new Set(rows.map(({ rego }) => rego));
  return parsed.map((one) => {
    if (!one.ok || one.without === undefined) return one;
    const { rego } = one.without;
    return known.has(one.rego) && one.rego !== rego ? { ok: true, rego: one.rego } : { ...one, rego };
  });
}

export async function readRego(db: Db | Tx, text: string): Promise<ParsedRego> {
  const [parsed = parseRego(text)] = await readRegos(db, [text]);
  return parsed;
}
