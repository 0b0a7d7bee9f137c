// Versions go on from record to record of one rego, so that a form is stale by its version alone, also one that was
// opened on another record which had this rego before.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';

/**
 * Gives the vehicle a version that none of this rego had before. Called when it has become the live one in this
 * transaction: from then on no other can, and none of the others changes.
 */
export async function continueVersions(tx: Tx, { id, rego }: { id: string; rego: string }): Promise<void> {
  await tx
    .updateTable('vehicle')
    .set({ version: sql<number>`(select max(version) + 1 from vehicle where rego = ${rego})` })
    .where('id', '=', id)
    .execute();
}
