// The forms about plates.
import { FAILURES } from '#app/forms/failures.ts';
import { newRego, newVehicle, removeVehicle } from './ground.ts';
import { LAST_COUNTS, NO_FILES, type Row } from './row.ts';

export const PLATE_ROWS: readonly Row[] = [
  {
    route: 'vehicles/routes/plate.tsx',
    inBrowser: { button: 'Change plate', failure: FAILURES.plate },
    async open({ db }) {
      const { rego, id } = await newVehicle(db);
      const fields = { rego: newRego(), plate_state: 'QLD', from: '2026-01-05', why: 'sold', opened: rego };
      const stale = () => db.updateTable('vehicle').set({ plateState: 'NSW' }).where('id', '=', id).execute();
      return { address: `/vehicles/plate/${rego}`, fields, stale, gone: removeVehicle(db, rego) };
    },
    done: /^303 \/vehicles\/view\/\w+ plate-changed /,
    refused: { fields: { why: '' }, says: /^400 .*Say why the plate changes\./ },
    stale: /^409 .*changed-meanwhile\./,
    gone: /^409 .*vehicle-removed\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'vehicles/routes/plate-request.tsx',
    inBrowser: { button: 'Decline', failure: FAILURES.plate },
    async open({ db }, admin) {
      const { id: vehicleId } = await newVehicle(db);
      const asked = { rego: newRego(), state: '', fromOn: '2026-01-05', why: 'sold' } as const;
      const actor = await db
        .insertInto('actor')
        .values({ personId: admin.personId, name: newRego() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('plateRequest')
        .values({ vehicleId, ...asked, askedBy: actor.id, askedAt: new Date() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const gone = () =>
        db
          .updateTable('plateRequest')
          .set({ ended: 'declined', endedAt: new Date(), endedBy: actor.id })
          .where('id', '=', id)
          .execute();
      return { address: `/vehicles/plates/${id}`, fields: { decision: 'decline' }, gone };
    },
    done: /^303 \/vehicles\/view\/\w+ plate-declined /,
    refused: { fields: { decision: '' }, says: /^400 .*Choose whether to confirm or to decline\./ },
    stale: LAST_COUNTS,
    gone: /^409 .*decided-already\./,
    storage: NO_FILES,
    twice: true,
  },
];
