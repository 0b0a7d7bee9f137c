// The writes about records that share a VIN, for writes.ts. Each is about records of its own.
import type { SignedIn } from '#app/access/session.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { decideLastJoin, join, part, saySo } from '#test/joins.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import type { World } from './world.ts';

const VIN = '6F5AAAAAAAAAAA333';
const SAME = { kept: 'AAC111', rego: 'AAC222' };
const OTHERS = ['AAC333', 'AAC444'];

// The one that comes along has a visit, so that the join makes a verdict better.
async function twoRecords({ services }: World, who: SignedIn, regos: readonly string[]): Promise<void> {
  for (const rego of regos) {
    const input = vehicleInput({ rego, vin: VIN, axle_groups: 'STEER' });
    await registerVehicle(services, who, { input, choice: NO_FILES, key: undefined });
  }
}

export const JOIN_WRITES = {
  async 'join.asked'(world: World) {
    const who = await world.whoOf(world.admin);
    await twoRecords(world, who, [SAME.kept, SAME.rego]);
    await recordHonestSet(world.services, who, SAME.rego);
    return join(world.services, who, SAME);
  },
  'join.declined': async ({ services, admin, whoOf }: World) => decideLastJoin(services, await whoOf(admin), 'decline'),
  // The other way round nothing gets better: a record without calibrations hides nothing.
  'vehicle.joined': async ({ services, admin, whoOf }: World) =>
    join(services, await whoOf(admin), { rego: SAME.kept, kept: SAME.rego }),
  'vehicle.parted': async ({ services, admin, whoOf }: World) => part(services, await whoOf(admin)),
  async 'vehicles.told-apart'(world: World) {
    const who = await world.whoOf(world.admin);
    await twoRecords(world, who, OTHERS);
    return saySo(world.services, who, OTHERS);
  },
};
