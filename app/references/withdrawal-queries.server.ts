// Reads of the withdrawals of weighbridges.
import type { Selectable } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Tables } from '#database/tables.ts';

export type Withdrawal = Selectable<Tables['referenceWithdrawal']>;

/** A withdrawal in force. */
export type InForce = { id: string; fromOn: string; toOn: string; confirmedAt: Date };

/**
 * The withdrawals in force of a weighbridge, the first confirmed first. A visit that is recorded meanwhile names the
 * weighbridge by a foreign key, which locks it against their next decision: so it reads them after its own row is
 * written.
 */
export function withdrawalsInForce(db: Db | Tx, referenceId: string): Promise<InForce[]> {
  return db
    .selectFrom('referenceWithdrawal')
    .select(['id', 'fromOn', 'toOn', 'confirmedAt'])
    .where('referenceId', '=', referenceId)
    .where('confirmedAt', 'is not', null)
    .$narrowType<{ confirmedAt: Date }>()
    .where('liftedAt', 'is', null)
    .orderBy('confirmedAt')
    .orderBy('id')
    .execute();
}

/** Those of `inForce` that cover `day`. */
export const covering = (inForce: readonly InForce[], day: string): InForce[] =>
  inForce.filter(({ fromOn, toOn }) => fromOn <= day && day <= toOn);

/** All withdrawals of a weighbridge but the dropped ones, the newest first. */
export function listWithdrawals(db: Db | Tx, referenceId: string): Promise<Withdrawal[]> {
  return db
    .selectFrom('referenceWithdrawal')
    .selectAll()
    .where('referenceId', '=', referenceId)
    .where('droppedAt', 'is', null)
    .orderBy('proposedAt', 'desc')
    .orderBy('id')
    .execute();
}

/** `id`: as in the address; text that is no id finds nothing. */
export async function findWithdrawal(db: Db | Tx, id: string): Promise<Withdrawal | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom('referenceWithdrawal').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks it to the end of the transaction: before its weighbridge, and before any vehicle. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.selectFrom('referenceWithdrawal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}
