// What the check 'reference' asks of the weighbridges of a visit: its own, and those of its weighings.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { verificationOn } from '#app/references/queries.server.ts';
import { spanWords } from '#app/references/withdrawal.ts';
import { covering, withdrawalsInForce, type InForce } from '#app/references/withdrawal-queries.server.ts';
import { placesOf } from '#app/readings/weighings.ts';
import { placesOfVisit } from '#app/transparency-log/weighed-places.server.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';
import type { VisitFacts } from './visit-facts.ts';

type OnReference = { referenceId: string | null; visitedOn: string };
type ReferenceFacts = NonNullable<VisitFacts['reference']>;

/** Null where no weighbridge is named. Of several that which is worst. */
export async function referenceFacts(
  tx: Db | Tx,
  visit: OnReference,
  set: Pick<CalibrationSet, 'weighbridge' | 'weighings'> | undefined,
): Promise<VisitFacts['reference']> {
  const facts: ReferenceFacts[] = [];
  for (const place of [{ ...visit, at: set?.weighbridge ?? '' }, ...placesOf(set?.weighings ?? null, visit)]) {
    const found = await factsAt(tx, place, place.at);
    if (found !== null) facts.push(found);
  }
  const [first, ...others] = facts;
  return first === undefined ? null : others.reduce(worse, first);
}

function worse(one: ReferenceFacts, other: ReferenceFacts): ReferenceFacts {
  const [until, next] = [one.verifiedTo ?? null, other.verifiedTo ?? null];
  return {
    isRegistered: one.isRegistered && other.isRegistered,
    isVerified: one.isVerified && other.isVerified,
    verifiedTo: until === null || next === null || until < next ? until : next,
    ...(one.isWithdrawn ? withdrawnOf(one) : withdrawnOf(other)),
  };
}

const withdrawnOf = ({ isWithdrawn, withdrawnFor }: ReferenceFacts) => ({
  isWithdrawn,
  ...(withdrawnFor === undefined ? {} : { withdrawnFor }),
});

async function factsAt(
  tx: Db | Tx,
  { referenceId, visitedOn }: OnReference,
  weighbridge: string,
): Promise<VisitFacts['reference']> {
  if (referenceId === null)
    return weighbridge === '' ? null : { isRegistered: false, isVerified: false, isWithdrawn: false };
  const verification = await verificationOn(tx, referenceId, visitedOn);
  const [withdrawal] = covering(await withdrawalsInForce(tx, referenceId), visitedOn);
  return {
    isRegistered: true,
    isVerified: verification !== undefined,
    isWithdrawn: withdrawal !== undefined,
    verifiedTo: verification?.toOn ?? null,
    ...(withdrawal === undefined ? {} : { withdrawnFor: spanWords(withdrawal) }),
  };
}

/** The withdrawals in force that cover one of the places where the visit was weighed, the first confirmed first. */
export async function withdrawalsOver(
  tx: Db | Tx,
  { id, referenceId, visitedOn }: OnReference & { id: string },
): Promise<InForce[]> {
  const { rows } = await sql<InForce>`select w.id, w.from_on, w.to_on, w.confirmed_at
    from (select ${id}::uuid as id, ${referenceId}::uuid as reference_id, ${visitedOn}::date as visited_on) v
      cross join lateral ${placesOfVisit('v')} place
      cross join lateral (select * from reference_withdrawal w where w.reference_id = place.reference_id
        and place.on_day between w.from_on and w.to_on and w.confirmed_at is not null and w.lifted_at is null offset 0) w
    group by w.id, w.from_on, w.to_on, w.confirmed_at order by w.confirmed_at, w.id`.execute(tx);
  return rows;
}
