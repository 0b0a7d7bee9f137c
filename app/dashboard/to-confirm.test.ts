// What one admin proposed stands among what needs attention of every other, until it is decided.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import { addSignedIn } from '#test/people.ts';
import { policyInput } from '#test/policy.ts';
import { addWeighbridge } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { dashboardPage } from './dashboard-page.server.ts';

let services: TestServices;
let mia: SignedIn;
let ann: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-21T01:00:00Z');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  ann = await addSignedIn(services, 'admin', 'ann@registry.example', 'Ann');
});
afterAll(() => services.stop());

const shown = async (who: SignedIn) =>
  (await dashboardPage(services, who)).toConfirm.map(({ count, words }) => `${count} ${words}`);

test('a change of the rules, withdrawals and a lift wait for the other admin, and for nobody else', async () => {
  const bridges = [await addWeighbridge(services, mia, 'Pindari'), await addWeighbridge(services, mia, 'Yarra Flat')];
  const ids: string[] = [];
  for (const { id } of bridges) {
    const days = { fromOn: '2026-11-01', toOn: '2026-11-03', reason: 'out of tolerance', note: '' } as const;
    const proposed = await proposeWithdrawal(services, mia, { referenceId: id, ...days, key: undefined });
    ids.push(proposed.proposed ? proposed.id : '');
  }
  const looser = policyInput(await currentPolicy(services.db), { prompt_days: '14', reason: 'Harvest' });
  expect(await changePolicy(services, mia, { input: looser, key: undefined })).toMatchObject({ proposed: true });
  expect(await shown(mia)).toEqual([]);
  expect(await shown(ann)).toEqual(['1 change of the rules to confirm', '2 withdrawals to confirm']);
  await decideWithdrawal(services, ann, { id: ids[0] ?? '', decision: 'confirm', key: undefined });
  await decideWithdrawal(services, ann, { id: ids[0] ?? '', decision: 'propose-lift', key: undefined });
  expect(await shown(ann)).toEqual(['1 change of the rules to confirm', '1 withdrawal to confirm']);
  expect(await shown(mia)).toEqual(['1 lift to confirm']);
  await decideWithdrawal(services, mia, { id: ids[0] ?? '', decision: 'confirm-lift', key: undefined });
  await decideWithdrawal(services, ann, { id: ids[1] ?? '', decision: 'drop', key: undefined });
  expect([await shown(mia), await shown(ann)]).toEqual([[], ['1 change of the rules to confirm']]);
});
