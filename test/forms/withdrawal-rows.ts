// The forms about withdrawals of weighbridges, and those about a visit's weighbridge and photo.
import { FAILURES } from '#app/forms/failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newVisitWithPhoto } from '#test/photos.ts';
import { newReference, newWithdrawal } from '#test/references.ts';
import { newPerson, newVehicle, newWaitingVisit, removeVehicle } from './ground.ts';
import { BUTTON, LONG, NO_FILES, type Row } from './row.ts';

let made = 0;
const newName = (): string => `Withdrawn weighbridge ${(made += 1)}`;

export const WITHDRAWAL_ROWS: readonly Row[] = [
  {
    route: 'withdrawals/routes/withdraw.tsx',
    inBrowser: { button: 'Ask for confirmation', failure: FAILURES.withdrawReference },
    async open({ db }, admin) {
      // Somebody who could confirm.
      const other = await newPerson(db, 'admin');
      const { id } = await newReference(db, admin.personId, newName());
      const fields = { reason: 'out of tolerance', note: 'typed with care' };
      const stale = () => newWithdrawal(db, other.personId, id);
      return { address: `/references/${id}/recall?from=2026-05-03&to=2026-05-19`, fields, stale };
    },
    done: /^303 \/references\/recalls\/[0-9a-f-]{36} withdrawal-proposed /,
    refused: { fields: { reason: '' }, says: /^400 .*Choose a reason of the list\..*typed with care/ },
    stale: /^409 .*proposed-already\..*typed with care/,
    gone: { not: 'a weighbridge is never removed from the register' },
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'withdrawals/routes/withdrawal.tsx',
    inBrowser: { button: 'Confirm the withdrawal', failure: FAILURES.withdrawReference },
    async open({ db }, admin) {
      const other = await newPerson(db, 'admin');
      const { id: referenceId } = await newReference(db, admin.personId, newName());
      const { id, by } = await newWithdrawal(db, other.personId, referenceId);
      const stale = () =>
        db
          .updateTable('referenceWithdrawal')
          .set({ droppedBy: by, droppedAt: new Date() })
          .where('id', '=', id)
          .execute();
      return { address: `/references/recalls/${id}`, fields: { decision: 'confirm' }, stale };
    },
    done: /^303 \/references\/recalls\/[0-9a-f-]{36} reference-withdrawn /,
    refused: {
      fields: { decision: 'confirm-lift' },
      says: /^409 .*changed-meanwhile\. The withdrawal is now: proposed/,
    },
    stale: /^409 .*changed-meanwhile\. The withdrawal is now: dropped/,
    gone: { not: 'a withdrawal is never removed' },
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'visit-queue/routes/match.tsx',
    inBrowser: { button: 'It is this weighbridge', failure: FAILURES.matchVisit },
    async open({ db }, admin) {
      const { id, rego, name, other } = await newNamedVisit(db, admin.personId);
      return {
        address: `/visits/${id}/match`,
        fields: { weighbridge: name },
        stale: () => db.updateTable('visit').set({ referenceId: other }).where('id', '=', id).execute(),
        gone: removeVehicle(db, rego),
      };
    },
    done: /^303 \/visits\/[0-9a-f-]{36} visit-matched /,
    refused: { fields: { weighbridge: LONG }, says: /^400 .*Use at most 300 characters\./ },
    stale: /^409 .*changed-meanwhile\./,
    gone: /^409 .*vehicle-removed\./,
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'visit-queue/routes/hide-photo.tsx',
    inBrowser: { button: 'Hide', failure: FAILURES.photo },
    async open(registry, admin) {
      const { rego } = await newVehicle(registry.db);
      return { address: `/visits/${await newVisitWithPhoto(registry, admin, rego)}/hide-photo`, fields: {} };
    },
    done: /^303 \/visits\/[0-9a-f-]{36} photo-hidden /,
    refused: BUTTON,
    stale: { not: 'a photo that is hidden already stays hidden' },
    gone: { not: 'a visit is never removed, and the photo of a removed vehicle can be hidden too' },
    storage: NO_FILES,
    twice: true,
  },
];

/** Forms about a visit of somebody else. */
export const CHECK_VISIT_ROWS: readonly Row[] = [
  {
    route: 'check-visits/routes/check.tsx',
    inBrowser: { button: 'Ask for it', failure: FAILURES.checkVisit },
    async open({ db }) {
      const { id, rego } = await newWaitingVisit(db);
      return {
        address: `/visits/${id}/check`,
        fields: { reason: 'typed with care' },
        stale: () => newCheckVisit(db, id),
        gone: removeVehicle(db, rego),
      };
    },
    done: /^303 \/visits\/[0-9a-f-]{36} check-visit-asked /,
    refused: { fields: { reason: '' }, says: /^400 .*Enter a reason\./ },
    stale: /^409 .*wanted-already\..*typed with care/,
    gone: /^409 .*vehicle-removed\..*typed with care/,
    storage: NO_FILES,
    twice: true,
  },
];

/** A check visit that was drawn. */
async function newCheckVisit(db: Db, visitId: string): Promise<void> {
  const { vehicleId } = await db
    .selectFrom('visit')
    .select('vehicleId')
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow();
  const values = { vehicleId, visitId, why: 'drawn', askedAt: new Date(), untilOn: '2100-01-01' } as const;
  await db.insertInto('checkVisit').values(values).execute();
}

const AXLE = {
  axle: 'STEER',
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};

/** A closed visit, of nobody's, of a set that names a weighbridge in free text, and two of the register. */
export async function newNamedVisit(db: Db, personId: string) {
  const { id: vehicleId, rego } = await newVehicle(db);
  const { id: technicianId } = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', personId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const visitedAt = new Date();
  const { id } = await db
    .insertInto('calibrationSet')
    .values({
      vehicleId,
      visitedAt,
      technicianId,
      weighbridge: 'typed with care',
      axles: JSON.stringify([AXLE]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const visitedOn = visitedAt.toISOString().slice(0, 10);
  await db
    .insertInto('visit')
    .values({
      id,
      vehicleId,
      visitedAt,
      visitedOn,
      closedAt: visitedAt,
      state: 'waits',
      judged: 'waits',
      checks: '[]',
    })
    .execute();
  const own = await newReference(db, personId, newName());
  const { id: other } = await newReference(db, personId, newName());
  return { id, rego, name: own.name, other };
}
