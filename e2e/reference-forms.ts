// The forms about weighbridges, for forms-table.ts.
import { randomUUID } from 'node:crypto';
import { FAILURES } from '#app/forms/failures.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newReference, newVerification } from '#test/references.ts';
import { newPerson } from './people.ts';

type Scene = { registry: StartedRegistry };

// The tests may run more than once on one registry.
async function add({ registry }: Scene): Promise<{ id: string; personId: string }> {
  const { personId } = await newPerson(registry, 'admin');
  return { id: (await newReference(registry.db, personId, `Formed ${randomUUID()}`)).id, personId };
}
const ofReference = (form: string) => async (scene: Scene) => `/references/${(await add(scene)).id}/${form}`;

export const REFERENCE_FORMS = [
  {
    route: 'references/routes/new.tsx',
    failure: FAILURES.addReference,
    open: async () => '/references/new',
    typed: { Name: `New ${randomUUID()}`, Place: 'Example Creek' },
    button: 'Add weighbridge',
  },
  {
    route: 'references/routes/update.tsx',
    failure: FAILURES.updateReference,
    open: ofReference('update'),
    typed: { Operator: 'Another Pty Ltd' },
    button: 'Update weighbridge',
  },
  {
    route: 'references/routes/verify.tsx',
    failure: FAILURES.addVerification,
    open: ofReference('verify'),
    typed: { 'Certificate number': 'VC-88213', From: '2026-03-10' },
    button: 'Add verification',
  },
  {
    route: 'references/routes/withdraw.tsx',
    failure: FAILURES.withdrawVerification,
    async open(scene: Scene) {
      const { id, personId } = await add(scene);
      const period = await newVerification(scene.registry.db, personId, id, {});
      return `/references/${id}/withdraw/${period.id}`;
    },
    typed: { Reason: 'Of another weighbridge.' },
    button: 'Withdraw',
  },
  {
    route: 'references/routes/repair.tsx',
    failure: FAILURES.addRepair,
    open: ofReference('repair'),
    typed: { 'Day of the repair': '2026-03-02', 'What was repaired': 'Load cell 3' },
    button: 'Note repair',
  },
  {
    route: 'references/routes/import.tsx',
    failure: FAILURES.importReferences,
    open: async () => '/references/import',
    typed: { Lines: 'name,place,state\nImported Siding,Nowhere,WA' },
    button: 'Import',
  },
];
