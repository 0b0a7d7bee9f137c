// The writes of the register of weighbridges, for writes.ts.
import { addReference } from '#app/references/add-reference.server.ts';
import { addRepair } from '#app/references/add-repair.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { importReferences } from '#app/references/import-references.server.ts';
import { listVerifications } from '#app/references/queries.server.ts';
import { readReferenceCsv } from '#app/references/reference-csv.server.ts';
import { updateReference } from '#app/references/update-reference.server.ts';
import { withdrawVerification } from '#app/references/withdraw-verification.server.ts';
import { referenceInput } from '#test/references.ts';
import type { World } from './world.ts';

export const REFERENCE_WRITES = {
  async 'reference.added'(world: World) {
    const { services, admin, whoOf } = world;
    const added = await addReference(services.db, await whoOf(admin), { input: referenceInput(), key: undefined });
    world.reference = added.id;
    return added;
  },
  'reference.updated': async ({ services: { db }, admin, whoOf, reference }: World) =>
    updateReference(db, await whoOf(admin), {
      id: reference,
      input: referenceInput({ operator: 'Another Pty Ltd' }),
      key: undefined,
    }),
  async 'verification.added'({ services, admin, whoOf, reference }: World) {
    const period = { certificateNumber: 'VC-88213', fromOn: '2026-03-10', toOn: '2027-03-09' };
    return addVerification(services, await whoOf(admin), { referenceId: reference, period, file: '', key: undefined });
  },
  async 'verification.withdrawn'({ services: { db }, admin, whoOf, reference }: World) {
    const [period] = await listVerifications(db, reference);
    const which = { referenceId: reference, verificationId: period?.id ?? '' };
    return withdrawVerification(db, await whoOf(admin), { which, reason: 'Of another weighbridge.', key: undefined });
  },
  async 'repair.added'({ services: { db }, admin, whoOf, reference }: World) {
    const repair = { on: '2026-03-02', note: 'Load cell 3 replaced' };
    return addRepair(db, await whoOf(admin), { referenceId: reference, ...repair, key: undefined });
  },
  async 'references.imported'({ services: { db }, admin, whoOf }: World) {
    const read = readReferenceCsv('name,place,state\nAAA weighbridge,Nowhere Siding,WA\n', '2026-11-21');
    return read.ok ? importReferences(db, await whoOf(admin), { references: read.references, key: undefined }) : read;
  },
};
