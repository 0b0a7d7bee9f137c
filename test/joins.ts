// Joins of records, for tests.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import {
  decideJoin,
  joinRecords,
  type DecideJoinAnswer,
  type JoinAnswer,
} from '#app/vin-conflicts/join-records.server.ts';
import { partRecords, type PartAnswer } from '#app/vin-conflicts/part-records.server.ts';
import { tellApart, type TellApartAnswer } from '#app/vin-conflicts/tell-apart.server.ts';
import { liveVehicle } from './visits.ts';

/** `rego` becomes part of `kept`. */
export async function join(
  services: Services,
  who: SignedIn,
  { rego, kept }: { rego: string; kept: string },
): Promise<JoinAnswer> {
  const [vehicleId, keptId] = [(await liveVehicle(services, rego)).id, (await liveVehicle(services, kept)).id];
  return joinRecords(services, who, { vehicleId, keptId, key: undefined });
}

/** The id of the last join: one that waits, else one that was not undone. */
export async function lastJoin({ db }: Pick<Services, 'db'>): Promise<string> {
  const joins = await db.selectFrom('joinedRecord').selectAll().orderBy('askedAt', 'desc').execute();
  const rank = (one: (typeof joins)[number]) =>
    one.declinedAt === null && one.partedAt === null ? Number(one.joinedAt !== null) : 2;
  return joins.toSorted((a, b) => rank(a) - rank(b))[0]?.id ?? '';
}

export const decideLastJoin = async (
  services: Services,
  who: SignedIn,
  decision: 'confirm' | 'decline',
): Promise<DecideJoinAnswer> =>
  decideJoin(services, who, { id: await lastJoin(services), isConfirmed: decision === 'confirm', key: undefined });

/** Undoes the join with this id, or the last. */
export const part = async (services: Services, who: SignedIn, id?: string): Promise<PartAnswer> =>
  partRecords(services, who, { id: id ?? (await lastJoin(services)), key: undefined });

export async function saySo(services: Services, who: SignedIn, regos: readonly string[]): Promise<TellApartAnswer> {
  const ids = await Promise.all(regos.map(async (rego) => (await liveVehicle(services, rego)).id));
  return tellApart(services, who, { ids, key: undefined });
}
