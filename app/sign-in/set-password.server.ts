// Writes an account's password. A person has no account before the first password.
import type { Tx } from '#app/platform/database/database.server.ts';

/** Sets a person's password and ends all their sessions. `hash`: computed before the transaction, as it is slow. */
export async function setPassword(
  tx: Tx,
  account: { personId: string; name: string; email: string; hash: string; mustChange: boolean },
): Promise<void> {
  const { personId, name, email, hash, mustChange } = account;
  const now = new Date();
  await tx
    .insertInto('user')
    .values({ id: personId, name, email, mustChangePassword: mustChange })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ name, email, mustChangePassword: mustChange, updatedAt: now }),
    )
    .execute();
  await tx
    .insertInto('account')
    .values({ userId: personId, accountId: personId, providerId: 'credential', password: hash })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'accountId']).doUpdateSet({ password: hash, updatedAt: now }),
    )
    .execute();
  await tx.deleteFrom('session').where('userId', '=', personId).execute();
}
