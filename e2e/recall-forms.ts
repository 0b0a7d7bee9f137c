// The forms about visits, withdrawals of weighbridges and proposals of the policy, for forms-table.ts.
import { randomUUID } from 'node:crypto';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newReference, newWithdrawal } from '#test/references.ts';
import { newNamedVisit } from '#test/forms/recall-rows.ts';
import { newVisitWithPhoto } from '#test/photos.ts';
import { policyInput } from '#test/policy.ts';
import { newPerson, type Person } from './people.ts';
import { actingAs } from '#test/people.ts';
import { recordSet, truck, ZONE } from './visits.ts';

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
    route: 'visit-queue/routes/match.tsx',
    failure: FAILURES.matchVisit,
    async open({ registry }: Scene) {
      const { personId } = await newPerson(registry, 'admin');
      return `/visits/${(await newNamedVisit(registry.db, personId)).id}/match`;
    },
    typed: { Weighbridge: 'Recalled weighbridge 1' },
    button: 'It is this weighbridge',
  },
  {
    route: 'visit-queue/routes/visit.tsx',
    failure: FAILURES.visit,
    async open({ registry }: Scene) {
      const rego = await truck(registry);
      const implausible = { readings: { DRIVE: { loaded_volt: '13' } } };
      const answer = await recordSet(registry, await newPerson(registry, 'technician'), rego, 0, implausible);
      if (!answer.recorded) throw new Error(answer.reason);
      return `/visits/${answer.setId}`;
    },
    typed: { 'Note for administrators (optional)': 'They sent the ticket.' },
    button: 'Accept',
  },
  {
    route: 'visit-queue/routes/taken-over.tsx',
    failure: FAILURES.visit,
    async open({ registry }: Scene) {
      const set = await recordSet(registry, await newPerson(registry, 'technician'), await truck(registry), 0);
      const id = set.recorded ? set.setId : '';
      const numbers = { isTakenOver: true };
      const checks = JSON.stringify([{ check: 'agrees', rule: 'must', answer: 'failed', sentence: '', numbers }]);
      await registry.db.updateTable('visit').set({ state: 'waits', checks }).where('id', '=', id).execute();
      return `/visits/taken-over?open=${id}`;
    },
    button: 'Accept it',
  },
  {
    route: 'recording/routes/my-visits.tsx',
    failure: FAILURES.visit,
    async open({ registry, admin }: Scene & { admin: Person }) {
      const input = {
        axle: 'STEER',
        attribute: 'Empty Weight',
        value: '3940',
        due_date: null,
        confirmed: true,
      } as const;
      const clock = { now: new Date(), zone: ZONE, key: undefined };
      await recordCalibration(registry.db, actingAs(admin), await truck(registry), input, clock);
      return '/my-visits';
    },
    button: 'Finish',
  },
  {
    route: 'policy/routes/proposal.tsx',
    failure: FAILURES.policy,
    async open({ registry }: Scene) {
      const services = { db: registry.db, now: () => new Date() };
      const looser = policyInput(await currentPolicy(registry.db), { tolerance_kg: '700' });
      await changePolicy(services, actingAs(await newPerson(registry, 'admin')), looser, undefined);
      return '/settings/policy/proposal';
    },
    button: 'Withdraw',
  },
  {
    route: 'visit-queue/routes/hide-photo.tsx',
    failure: FAILURES.photo,
    async open({ registry }: Scene) {
      const id = await newVisitWithPhoto(registry, await newPerson(registry, 'admin'), await truck(registry));
      return `/visits/${id}/hide-photo`;
    },
    button: 'Hide',
  },
  {
    route: 'visit-queue/routes/check.tsx',
    failure: FAILURES.checkVisit,
    async open({ registry }: Scene) {
      const set = await recordSet(registry, await newPerson(registry, 'technician'), await truck(registry), 1);
      return `/visits/${set.recorded ? set.setId : ''}/check`;
    },
    typed: { Reason: 'Too fast to be true.' },
    button: 'Ask for it',
  },
];
