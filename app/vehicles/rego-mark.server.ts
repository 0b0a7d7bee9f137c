// Whether a spreadsheet may have changed a rego. One of digits alone may have lost zeros in front: the registry says
// which it has.
import type { Db } from '#app/platform/database/database.server.ts';
import { hasLostZeros, identifierMark, sameNumberMark } from '#app/platform/http/spreadsheet-mark.ts';
import { parseRego, REGO_MAX_LENGTH } from './vehicle.ts';

/** No spreadsheet takes away more. */
const ZEROS_MAX = 8;

/** Of the regos of digits alone: those that the registry has, by their digits without zeros in front. */
export type Regos = ReadonlyMap<string, readonly string[]>;

/** Why a rego may not be the one on the truck. */
export function regoMark(text: string, regos: Regos): string | undefined {
  const parsed = parseRego(text);
  const rego = parsed.ok ? parsed.rego : text;
  const mark = identifierMark(text);
  if (!/^\d+$/.test(rego)) return mark;
  const alike = regos.get(withoutZeros(rego)) ?? [];
  const [longer] = alike.filter((other) => hasLostZeros(rego, other));
  if (longer !== undefined) return sameNumberMark(rego, longer);
  if (!/^\d+$/.test(text.trim())) return mark;
  // Zeros that are there were not taken away.
  if (alike.includes(rego) || rego.startsWith('0')) return undefined;
  return mark ?? 'Only digits. A sheet takes the zeros in front of a number away.';
}

export const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** What the registry has of `asked`, with more or fewer zeros in front. */
export async function regosAlike(db: Db, asked: readonly string[]): Promise<Regos> {
  const numbers = [...new Set(asked.filter((rego) => /^\d+$/.test(rego)).map(withoutZeros))];
  if (numbers.length === 0) return new Map();
  const spellings = numbers.flatMap((number) =>
    Array.from({ length: ZEROS_MAX + 1 }, (_, zeros) => '0'.repeat(zeros) + number).filter(
      (rego) => rego !== '' && rego.length <= REGO_MAX_LENGTH,
    ),
  );
  const found = await db
    .selectFrom('vehicle')
    .select('rego')
    .where('rego', 'in', spellings)
    .where('deletedAt', 'is', null)
    .execute();
  return Map.groupBy(
    found.map(({ rego }) => rego),
    withoutZeros,
  );
}
