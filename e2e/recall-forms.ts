// The forms about withdrawals of weighbridges and about a visit's weighbridge and photo, for forms-table.ts.
import { randomUUID } from 'node:crypto';
import { FAILURES } from '#app/forms/failures.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newReference, newWithdrawal } from '#test/references.ts';
import { newNamedVisit } from '#test/forms/recall-rows.ts';
import { newVisitWithPhoto } from '#test/photos.ts';
import { newPerson } from './people.ts';
import { truck } from './visits.ts';

type Scene = { registry: StartedRegistry };

async function add({ registry }: Scene): Promise<{ id: string; personId: string }> {
  const { personId } = await newPerson(registry, 'admin');
  return { id: (await newReference(registry.db, personId, `Recalled ${randomUUID()}`)).id, personId };
}

export const RECALL_FORMS = [
  {
    route: 'recalls/routes/recall.tsx',
    failure: FAILURES.withdrawReference,
    open: async (scene: Scene) => `/references/${(await add(scene)).id}/recall?from=2026-05-03&to=2026-05-19`,
    typed: { 'Note for administrators (optional)': 'As the inspector said.' },
    button: 'Ask for confirmation',
  },
  {
    route: 'recalls/routes/withdrawal.tsx',
    failure: FAILURES.withdrawReference,
    async open(scene: Scene) {
      const { id, personId } = await add(scene);
      return `/references/recalls/${(await newWithdrawal(scene.registry.db, personId, id)).id}`;
    },
    button: 'Confirm the withdrawal',
  },
  {
    route: 'visits/routes/match.tsx',
    failure: FAILURES.matchVisit,
    async open({ registry }: Scene) {
      const { personId } = await newPerson(registry, 'admin');
      return `/visits/${(await newNamedVisit(registry.db, personId)).id}/match`;
    },
    typed: { Weighbridge: 'Recalled weighbridge 1' },
    button: 'It is this weighbridge',
  },
  {
    route: 'visits/routes/hide-photo.tsx',
    failure: FAILURES.photo,
    async open({ registry }: Scene) {
      const id = await newVisitWithPhoto(registry, await newPerson(registry, 'admin'), await truck(registry));
      return `/visits/${id}/hide-photo`;
    },
    button: 'Hide',
  },
];
