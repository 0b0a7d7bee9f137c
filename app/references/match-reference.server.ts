// The weighbridge that a form names: chosen from the suggestions, or typed.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { foldedName } from '#app/platform/database/name-search.server.ts';
import { dropUnseen, foldName } from '#app/platform/process/typed-text.ts';
import { sql } from 'kysely';
import { findReference } from './queries.server.ts';
import { referenceLine, zoneOfState, type State } from './reference.ts';

/** `weighbridge`: as it was typed, or the line of the suggestion. `referenceId`: null if not in the register. */
export type MatchedReference = { referenceId: string | null; weighbridge: string };

/**
 * A chosen one counts while its text is the one that was chosen. Else the text is matched by the whole name, or by the
 * whole line of a suggestion, in whatever letters; where that is not one weighbridge it stays text.
 */
export async function matchReference(
  db: Db | Tx,
  { weighbridge, reference_id: id }: { weighbridge: string; reference_id: string },
): Promise<MatchedReference> {
  const typed = dropUnseen(weighbridge).normalize('NFC').trim();
  if (typed === '') return { referenceId: null, weighbridge: '' };
  const chosen = await findReference(db, id);
  if (chosen !== undefined && foldName(referenceLine(chosen)) === foldName(typed))
    return { referenceId: chosen.id, weighbridge: typed };
  const { rows } = await sql<{ id: string; name: string; place: string; state: State }>`
    select id from reference
    where ${foldName(typed)} in (${foldedName(sql`name`)}, ${foldedName(sql`name || ', ' || place || ' ' || state`)})
    limit 2`.execute(db);
  const [only, ...others] = rows;
  return { referenceId: only !== undefined && others.length === 0 ? only.id : null, weighbridge: typed };
}

/** The zone of the weighbridge's place; undefined of one that the register does not have. */
export async function zoneOfWeighbridge(
  db: Db | Tx,
  given: Parameters<typeof matchReference>[1],
): Promise<string | undefined> {
  const { referenceId } = await matchReference(db, given);
  const found = referenceId === null ? undefined : await findReference(db, referenceId);
  return found === undefined ? undefined : zoneOfState(found.state);
}
