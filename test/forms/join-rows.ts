// The forms about records that share a VIN.
import { FAILURES } from '#app/forms/failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Person } from '#test/people.ts';
import { newRego, newVehicle, removeVehicle } from './ground.ts';
import { LAST_COUNTS, NO_FILES, type Row } from './row.ts';

async function newPair(db: Db) {
  const [kept, other] = [await newVehicle(db), await newVehicle(db)];
  const vin = `6T9${newRego()}`.padEnd(17, '7');
  await db.updateTable('vehicle').set({ vin }).where('id', 'in', [kept.id, other.id]).execute();
  return { kept, other, vin };
}

async function newAsked(db: Db, admin: Person) {
  const { kept, other } = await newPair(db);
  const actor = await db
    .insertInto('actor')
    .values({ personId: admin.personId, name: newRego() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const join = await db
    .insertInto('joinedRecord')
    .values({ vehicleId: other.id, keptId: kept.id, askedBy: actor.id, askedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const gone = () =>
    db
      .updateTable('joinedRecord')
      .set({ declinedAt: new Date(), declinedBy: actor.id })
      .where('id', '=', join.id)
      .execute();
  return { id: join.id, gone };
}

export const JOIN_ROWS: readonly Row[] = [
  {
    route: 'vin-conflicts/routes/conflict.tsx',
    inBrowser: { button: 'They are two trucks', failure: FAILURES.join },
    async open({ db }) {
      const { kept, other, vin } = await newPair(db);
      const fields = { first: kept.id, second: other.id, way: 'two' };
      return { address: `/vehicles/vins/${vin}`, fields, gone: removeVehicle(db, other.rego) };
    },
    done: /^303 \/vehicles\/vins two-trucks /,
    refused: { fields: { way: 'join' }, says: /^400 .*Choose which record keeps its address\./ },
    stale: LAST_COUNTS,
    gone: /^409 .*decided-already\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vin-conflicts/routes/list.tsx',
    inBrowser: { button: 'Decline the join', failure: FAILURES.join },
    async open({ db }, admin) {
      const { id, gone } = await newAsked(db, admin);
      return { address: '/vehicles/vins', fields: { id, decision: 'decline' }, gone };
    },
    done: /^303 \/vehicles\/view\/\w+ join-declined /,
    refused: { fields: { decision: '' }, says: /^400 .*Choose whether to confirm or to decline\./ },
    stale: LAST_COUNTS,
    gone: /^409 .*decided-already\./,
    storage: NO_FILES,
    twice: true,
  },
];
