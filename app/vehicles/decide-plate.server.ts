// An admin decides about a change of a plate that a technician asked for. What is confirmed is looked at as it is then.
import { sql, type RawBuilder } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { withTakenAgain } from './change-plate.server.ts';
import { plateWords, type Why } from './plates.ts';
import { lockVehicle } from './queries.server.ts';
import { planPlate, replate, type PlateRefusal } from './replate.server.ts';

export type PlateRequest = {
  id: string;
  vehicleId: string;
  /** The truck as it is called now. */
  vehicle: string;
  plateState: string;
  rego: string;
  state: string;
  fromOn: string;
  why: Why;
  askedBy: number;
  askedAt: Date;
  name: string;
  personId: string;
};

/** The requests that wait, the oldest first; with `id` that one. */
export const listPlateRequests = async (db: Db | Tx, id?: string): Promise<PlateRequest[]> =>
  id !== undefined && !isUuid(id) ? [] : listWhere(db, id === undefined ? sql`true` : sql`r.id = ${id}::uuid`);

/** The request that waits for this vehicle. */
export const findPlateRequest = async (db: Db, vehicleId: string): Promise<PlateRequest | undefined> =>
  (await listWhere(db, sql`r.vehicle_id = ${vehicleId}::uuid`))[0];

async function listWhere(db: Db | Tx, where: RawBuilder<unknown>): Promise<PlateRequest[]> {
  const { rows } = await sql<PlateRequest>`
    select r.id, r.vehicle_id, v.rego as vehicle, v.plate_state, r.rego, r.state, r.from_on, r.why, r.asked_by, r.asked_at,
      a.name, a.person_id
    from plate_request r cross join lateral (select * from vehicle where id = r.vehicle_id offset 0) v
      join actor a on a.id = r.asked_by
    where r.ended is null and v.deleted_at is null and ${where}
    order by r.asked_at`.execute(db);
  return rows;
}

export type DecidePlateAnswer =
  | { decided: true; rego: string }
  /** It was decided already, or its truck was removed. */
  | { decided: false; reason: 'gone' }
  | ({ decided: false } & PlateRefusal);

export function decidePlate(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  { id, isConfirmed, key }: { id: string; isConfirmed: boolean; key: unknown },
): Promise<DecidePlateAnswer> {
  const moment = now();
  const kind = isConfirmed ? 'vehicle.replated' : 'plate.declined';
  const on = { kind, key, values: { id, isConfirmed } } as const;
  return withTakenAgain(() =>
    idempotent<DecidePlateAnswer>(db, { who, ...on }, async (tx) => {
      const [waiting] = await listPlateRequests(tx, id);
      if (waiting === undefined) return { decided: false, reason: 'gone' };
      const found = await lockVehicle(tx, waiting.vehicle);
      const [request] = await listPlateRequests(tx, id);
      if (found.state !== 'live' || request === undefined || found.vehicle.id !== request.vehicleId)
        return { decided: false, reason: 'gone' };
      const { vehicle } = found;
      const { rego: text, state, fromOn, why, personId } = request;
      const asked = { text, state, fromOn, why };
      const actorId = await actorOf(tx, who);
      const end = (ended: 'confirmed' | 'declined') =>
        tx.updateTable('plateRequest').set({ ended, endedAt: moment, endedBy: actorId }).where('id', '=', id).execute();
      if (!isConfirmed) {
        await end('declined');
        await appendActivity(tx, {
          kind: 'plate.declined',
          ...aboutVehicle(vehicle, actorId, who),
          persons: [who.personId, personId],
          details: `${vehicle.rego}: ${plateWords(text, state)}`,
        });
        return { decided: true, rego: vehicle.rego };
      }
      const plan = await planPlate(tx, vehicle, { asked, today: todayIn(config.timeZone, moment) });
      if ('reason' in plan) return { decided: false, ...plan };
      await end('confirmed');
      const persons = [who.personId, personId];
      const by = { actorId, changedBy: request.askedBy, confirmedBy: actorId, persons, now: moment };
      await replate(tx, vehicle, { plan, asked, by });
      return { decided: true, rego: plan.rego };
    }),
  );
}
