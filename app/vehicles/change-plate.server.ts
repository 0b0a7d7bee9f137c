// 'Change plate'. It takes effect at once where the text never was another vehicle's here, or where an admin makes it;
// else it is kept as a technician asked, and an admin decides (decide-plate.server.ts).
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { may } from '#app/access/permissions.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { wasAnothers } from './choose-rego.server.ts';
import { plateWords } from './plates.ts';
import { lockVehicle, type Vehicle } from './queries.server.ts';
import { planPlate, replate, type AskedPlate, type PlateRefusal } from './replate.server.ts';

const UNIQUE_VIOLATION = '23505';

export type ChangePlateAnswer =
  | { changed: true; rego: string }
  /** It waits for an admin. */
  | { changed: false; asked: true }
  | { changed: false; reason: 'removed' | 'unknown' }
  /** Its plate was changed since the form was opened. */
  | { changed: false; reason: 'stale'; now: Vehicle }
  /** A change of its plate waits already. */
  | { changed: false; reason: 'asked-already' }
  | ({ changed: false } & PlateRefusal);

export type ChangePlateInput = AskedPlate & { opened: string };

/** The plate with which a form was opened. */
export const openedPlate = ({ rego, plateState }: Pick<Vehicle, 'rego' | 'plateState'>): string =>
  `${rego} ${plateState}`.trim();

/** Of two changes to one plate at the same time the second finds the first, and is refused. */
export async function withTakenAgain<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
    }
}

/** `rego`: what the vehicle is called now. */
export function changePlate(
  { db, config, now }: Pick<Services, 'db' | 'now'> & { config: Pick<Services['config'], 'timeZone'> },
  who: SignedIn,
  { rego, input: { opened, ...asked }, key }: { rego: string; input: ChangePlateInput; key: unknown },
): Promise<ChangePlateAnswer> {
  const moment = now();
  // The address follows the plate: sent again it is another, and the write the same.
  const on = { kind: 'vehicle.replated', key, values: { opened, ...asked } } as const;
  return withTakenAgain(() =>
    idempotent<ChangePlateAnswer>(db, { who, ...on }, async (tx) => {
      const found = await lockVehicle(tx, rego);
      if (found.state !== 'live') return { changed: false, reason: found.state };
      const { vehicle } = found;
      if (openedPlate(vehicle) !== opened) return { changed: false, reason: 'stale', now: vehicle };
      const plan = await planPlate(tx, vehicle, { asked, today: todayIn(config.timeZone, moment) });
      if ('reason' in plan) return { changed: false, ...plan };
      const actorId = await actorOf(tx, who);
      const decides = may(who.role, 'decide plates');
      if (!decides && (plan.isSecond || (await wasAnothers(tx, asked.text, vehicle.id))))
        return ask(tx, vehicle, { who, actorId, asked, now: moment });
      const confirmedBy = decides ? actorId : null;
      const by = { actorId, changedBy: actorId, confirmedBy, persons: [who.personId], now: moment };
      await replate(tx, vehicle, { plan, asked, by });
      return { changed: true, rego: plan.rego };
    }),
  );
}

async function ask(
  tx: Tx,
  vehicle: Vehicle,
  { who, actorId, asked, now }: { who: SignedIn; actorId: number; asked: AskedPlate; now: Date },
): Promise<ChangePlateAnswer> {
  const { text, ...more } = asked;
  const added = await tx
    .insertInto('plateRequest')
    .values({ vehicleId: vehicle.id, rego: text, ...more, askedBy: actorId, askedAt: now })
    .onConflict((conflict) => conflict.column('vehicleId').where('ended', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added === undefined) return { changed: false, reason: 'asked-already' };
  await appendActivity(tx, {
    kind: 'plate.asked',
    ...aboutVehicle(vehicle, actorId, who),
    details: `${vehicle.rego}: ${plateWords(text, asked.state)}`,
  });
  return { changed: false, asked: true };
}
