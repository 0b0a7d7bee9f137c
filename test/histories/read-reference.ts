// What the tables have of a weighbridge's withdrawals, as their model does.
import type { Db } from '#app/platform/database/database.server.ts';
import { withdrawalState } from '#app/references/withdrawal.ts';
import type { Weighbridge } from './operation.ts';
import type { ReferenceState } from './reference-model.ts';

export async function readReference(db: Db, reference: Weighbridge | null): Promise<Omit<ReferenceState, 'kept'>> {
  if (reference === null) return { withdrawals: [] };
  const rows = await db
    .selectFrom('referenceWithdrawal')
    .innerJoin('actor as proposer', 'proposer.id', 'proposedBy')
    .leftJoin('actor as lifter', 'lifter.id', 'liftProposedBy')
    .selectAll('referenceWithdrawal')
    .select(['proposer.email as by', 'lifter.email as liftBy'])
    .where('referenceId', '=', reference.id)
    .orderBy('note')
    .execute();
  return {
    withdrawals: rows.map(({ note: mark, fromOn, toOn, by, liftBy, ...row }) => ({
      mark,
      fromOn,
      toOn,
      by,
      liftBy,
      liftAt: row.liftProposedAt?.getTime() ?? null,
      state: withdrawalState(row),
    })),
  };
}
