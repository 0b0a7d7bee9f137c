// Somebody leaves: all sessions end at once, and who has no other role loses the password and second factor with it.
// Whoever is admitted again begins anew.
import type { Tx } from '#app/platform/database/database.server.ts';
import { findStanding } from '#app/access/queries.server.ts';

/** Called in the transaction that removed the record. */
export async function endAccess(tx: Tx, personId: string): Promise<void> {
  // One at a time: of two roles that end at once the second sees that nothing is left, and nobody is admitted meanwhile.
  await tx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
  await tx.deleteFrom('session').where('userId', '=', personId).execute();
  if ((await findStanding(tx, personId)) !== undefined) return;
  await tx.deleteFrom('account').where('userId', '=', personId).execute();
  await tx.deleteFrom('twoFactor').where('userId', '=', personId).execute();
  await tx.deleteFrom('resetToken').where('personId', '=', personId).execute();
  await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', personId).execute();
}
