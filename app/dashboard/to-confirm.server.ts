// What another admin proposed, or a technician asked for, and this one may confirm.
import { href } from 'react-router';
import type { Db } from '#app/platform/database/database.server.ts';
import { listRemovals } from '#app/admins/queries.server.ts';
import { findProposal } from '#app/policy/queries.server.ts';
import { listPlateRequests } from '#app/vehicles/decide-plate.server.ts';
import { FULL_VIN } from '#app/vehicles/vehicle.ts';
import { listAskedJoins, listConflicts } from '#app/vin-conflicts/queries.server.ts';

export type ToConfirm = { to: string; count: number; words: string };

/**
 * Proposals of others than `personId`: of rules, withdrawals of weighbridges, their lifts, joins, removals of admins;
 * and VINs on several vehicles.
 */
export async function listToConfirm(db: Db, personId: string): Promise<ToConfirm[]> {
  const rules = await findProposal(db);
  const withdrawals = await db
    .selectFrom('referenceWithdrawal as w')
    .innerJoin('actor', (join) =>
      join.on((eb) => eb('actor.id', '=', eb.fn.coalesce(eb.ref('w.liftProposedBy'), eb.ref('w.proposedBy')))),
    )
    .select(['w.id', 'w.confirmedAt'])
    .where('actor.personId', '!=', personId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('w.confirmedAt', 'is', null), eb('w.droppedAt', 'is', null)]),
        and([eb('w.liftProposedAt', 'is not', null), eb('w.liftedAt', 'is', null)]),
      ]),
    )
    .orderBy('w.proposedAt')
    .execute();
  const byKind = Map.groupBy(withdrawals, ({ confirmedAt }) => (confirmedAt === null ? 'withdrawal' : 'lift'));
  const needs = (['withdrawal', 'lift'] as const).flatMap((kind): ToConfirm[] => {
    const [first, ...more] = byKind.get(kind) ?? [];
    if (first === undefined) return [];
    const words = `${kind}${more.length === 0 ? '' : 's'} to confirm`;
    return [{ to: href('/references/recalls/:id', { id: first.id }), count: more.length + 1, words }];
  });
  const [plate, ...morePlates] = await listPlateRequests(db);
  if (plate !== undefined) {
    const words = `plate${morePlates.length === 0 ? '' : 's'} to confirm`;
    needs.push({ to: href('/vehicles/plates/:id', { id: plate.id }), count: morePlates.length + 1, words });
  }
  const conflicts = (await listConflicts(db, FULL_VIN)).length;
  if (conflicts > 0)
    needs.push({
      to: '/vehicles/vins',
      count: conflicts,
      words: `VIN${conflicts === 1 ? '' : 's'} on several vehicles`,
    });
  const joins = (await listAskedJoins(db)).filter((join) => join.personId !== personId).length;
  if (joins > 0)
    needs.push({ to: '/vehicles/vins', count: joins, words: `join${joins === 1 ? '' : 's'} of records to confirm` });
  const removals = (await listRemovals(db)).filter(({ byPersonId }) => byPersonId !== personId);
  if (removals.length > 0) {
    const words = `removal${removals.length === 1 ? '' : 's'} of admins to decide`;
    needs.push({ to: '/admins/removals', count: removals.length, words });
  }
  if (rules === undefined || rules.personId === personId || rules.takesEffectAt !== null) return needs;
  return [{ to: '/settings', count: 1, words: 'change of the rules to confirm' }, ...needs];
}
