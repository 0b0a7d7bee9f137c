// All records that have or had one rego share one sequence of versions. So the version alone shows that a form is
// stale, even if the form was opened on an earlier record with the same rego.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';

/**
 * Gives the vehicle a version that no record of this rego had before. Call it after the vehicle has become the live one
 * in this transaction: until the commit no other record of the rego can become live or change.
 */
export async function continueVersions(tx: Tx, { id, rego }: { id: string; rego: string }): Promise<void> {
  await tx
    .updateTable('vehicle')
    .set({
      version: sql<number>`(select max(version) + 1 from vehicle
        where rego = ${rego} or id in (select vehicle_id from former_plate where rego = ${rego}))`,
    })
    .where('id', '=', id)
    .execute();
}
