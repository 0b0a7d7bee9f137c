// The writes of plates, for writes.ts.
import { todayIn } from '#app/platform/time/calendar.ts';
import { changePlate, openedPlate } from '#app/vehicles/change-plate.server.ts';
import { decidePlate, listPlateRequests } from '#app/vehicles/decide-plate.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { IMPORTED_REGO, REGO, type World } from './world.ts';

const NEW_PLATE = 'AAB333';

/** Two vehicles that no other write is about. */
const otherVehicles = ({ services: { db }, theirs }: World) =>
  db
    .selectFrom('vehicle')
    .selectAll()
    .where('deletedAt', 'is', null)
    .where('rego', 'not in', [REGO, IMPORTED_REGO, theirs.rego, NEW_PLATE])
    .orderBy('rego', 'desc')
    .limit(2)
    .execute();

async function change(world: World, who: SignedIn, { nth, text }: { nth: number; text: string }) {
  const { services } = world;
  const vehicle = (await otherVehicles(world)).at(nth);
  if (vehicle === undefined) throw new Error('there are not so many vehicles');
  const fromOn = todayIn(services.config.timeZone, services.now());
  const input = { text, state: 'QLD', fromOn, why: 'another-state', opened: openedPlate(vehicle) } as const;
  return changePlate(services, who, { rego: vehicle.rego, input, key: undefined });
}

export const PLATE_WRITES = {
  'vehicle.replated': async (world: World) =>
    change(world, await world.whoOf(world.technician), { nth: 0, text: NEW_PLATE }),
  async 'plate.asked'(world: World) {
    const former = world.services.db.selectFrom('formerPlate').select('rego').orderBy('id', 'desc');
    const { rego } = await former.executeTakeFirstOrThrow();
    return change(world, await world.whoOf(world.technician), { nth: 1, text: rego });
  },
  async 'plate.declined'({ services, admin, whoOf }: World) {
    const [request] = await listPlateRequests(services.db);
    return decidePlate(services, await whoOf(admin), { id: request?.id ?? '', isConfirmed: false, key: undefined });
  },
};
