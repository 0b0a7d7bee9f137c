// Ends a removed person's access: all sessions end at once. A person without another role also loses the password,
// second factor and reset link, so that nothing of them works again after a later admission.
import type { Tx } from '#app/platform/database/database.server.ts';
import { findAccount } from '#app/access/queries.server.ts';
import { removedForNow } from './lock-person.server.ts';

/** Ends the sessions, in the transaction that removed the record. The password stays, as a removal may be refused. */
export async function endSessions(tx: Tx, personId: string): Promise<void> {
  // Locks the person. When two roles end at once, the second transaction sees that no role is left; an admission waits.
  await tx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
  await tx.deleteFrom('session').where('userId', '=', personId).execute();
}

/** Called in the transaction that removed the record for good. */
export async function endAccess(tx: Tx, personId: string): Promise<void> {
  await endSessions(tx, personId);
  const account = (await findAccount(tx, personId)) ?? (await removedForNow(tx, personId));
  if (account !== undefined) return;
  await tx.deleteFrom('account').where('userId', '=', personId).execute();
  await tx.deleteFrom('twoFactor').where('userId', '=', personId).execute();
  await tx.deleteFrom('resetToken').where('personId', '=', personId).execute();
  await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', personId).execute();
}
