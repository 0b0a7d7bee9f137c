// What the check 'reference' asks of a visit's weighbridge.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { verificationOn } from '#app/references/queries.server.ts';
import { spanWords } from '#app/references/withdrawal.ts';
import { covering, withdrawalsInForce, type InForce } from '#app/references/withdrawal-queries.server.ts';
import type { VisitFacts } from './visit-facts.ts';

type OnReference = { referenceId: string | null; visitedOn: string };

/** `weighbridge`: as it was typed; '' where none is named. */
export async function referenceFacts(
  tx: Db | Tx,
  visit: OnReference,
  weighbridge: string,
): Promise<VisitFacts['reference']> {
  const { referenceId, visitedOn } = visit;
  if (referenceId === null)
    return weighbridge === '' ? null : { isRegistered: false, isVerified: false, isWithdrawn: false };
  const verification = await verificationOn(tx, referenceId, visitedOn);
  const [withdrawal] = await withdrawalsOver(tx, visit);
  return {
    isRegistered: true,
    isVerified: verification !== undefined,
    isWithdrawn: withdrawal !== undefined,
    verifiedTo: verification?.toOn ?? null,
    ...(withdrawal === undefined ? {} : { withdrawnFor: spanWords(withdrawal) }),
  };
}

/** The withdrawals in force that cover the visit, the first confirmed first. */
export async function withdrawalsOver(tx: Db | Tx, { referenceId, visitedOn }: OnReference): Promise<InForce[]> {
  return referenceId === null ? [] : covering(await withdrawalsInForce(tx, referenceId), visitedOn);
}
