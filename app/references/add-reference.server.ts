// Adds a weighbridge to the register. Of two of one name, place and state the second is refused ('exists').
import { sql } from 'kysely';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { referenceEvent } from '#app/transparency-log/reference-events.server.ts';
import { findNamed } from './queries.server.ts';
import { columnsOf } from './reference-columns.server.ts';
import type { ReferenceInput } from './reference-entry.ts';
import { referenceLine } from './reference.ts';

export type AddReferenceAnswer = { added: true; id: string } | { added: false; reason: 'exists'; id: string };

export function addReference(
  db: Db,
  who: SignedIn,
  { input, key }: { input: ReferenceInput; key: unknown },
): Promise<AddReferenceAnswer> {
  return idempotent<AddReferenceAnswer>(db, { who, kind: 'reference.added', key, values: input }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const id = await insertReference(tx, actorId, input);
    if (id === undefined) return { added: false, reason: 'exists', id: (await findNamed(tx, input))?.id ?? '' };
    await appendLeaves(tx, [referenceEvent('reference.added', { ...input, id })]);
    await appendActivity(tx, {
      kind: 'reference.added',
      actorId,
      subject: 'reference',
      subjectId: id,
      details: `${referenceLine(input)} added`,
      persons: [who.personId],
    });
    return { added: true, id };
  });
}

/** Undefined: there is one of this name, place and state. */
export async function insertReference(
  tx: Tx,
  actorId: number,
  input: Omit<ReferenceInput, 'version'>,
): Promise<string | undefined> {
  if ((await findNamed(tx, input)) !== undefined) return undefined;
  const added = await tx
    .insertInto('reference')
    .values({ ...columnsOf(input), addedBy: actorId, updatedBy: actorId })
    .onConflict((conflict) => conflict.expression(sql`lower(name), lower(place), state`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}
