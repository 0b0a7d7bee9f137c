// The report of one calibration, and the page: the error at the check load with its doubt and its word, and what
// ISO/IEC 17025, 7.8 lists and is not recorded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { methodWords } from '#app/public-search/method-words.server.ts';
import { apiApp } from '#server/api.ts';
import { addSignedIn } from '#test/people.ts';
import { reportOf } from '#test/reports.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { liveVehicle, recordHonestSet, type SetChange } from '#test/visits.ts';
import { addTruck, addWeighbridge } from '#test/withdrawals.ts';
import { reportPdf } from './draw-report.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-21T01:00:00Z');
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

async function recorded(rego: string, change: SetChange) {
  await addTruck(services, admin, rego);
  await recordHonestSet(services, tech, rego, change);
  const [newest] = await listCalibrations(services.db, (await liveVehicle(services, rego)).id);
  return reportOf(services, rego, newest ?? expect.fail());
}
const page = async (rego: string) => {
  const asked = { asked: new URLSearchParams(), origin: 'https://registry.example', who: null };
  const found = await vehiclePage(services, rego, asked);
  return found.state === 'live' ? found.page : expect.fail();
};

test('a check load: error, doubt and word in report, page and API; what is missing is said', async () => {
  const bridge = await addWeighbridge(services, admin, 'Example Creek');
  await services.db.updateTable('reference').set({ intervalKg: 10 }).where('id', '=', bridge.id).execute();
  const period = { certificateNumber: 'VC-88213', fromOn: '2026-03-10', toOn: '2027-03-09' };
  await addVerification(services, admin, { referenceId: bridge.id, period, file: '', key: undefined });
  const report = await recorded('ERR1', {
    nudge: 0,
    weighbridge: bridge.line,
    reference_id: bridge.id,
    extras: { check_volt: '1.20', check_weight: '5060' },
  });
  expect(report.errors?.rows[0]?.slice(0, 2)).toEqual([
    'Steer',
    expect.stringMatching(
      /^At 5,060\u00a0kg the scale showed 5,066\u00a0kg: 6\u00a0kg more \(0\.1\u00a0%\), ±\u00a0\d\d\u00a0kg\. The tolerance is 500\u00a0kg\. It conforms\.$/,
    ),
  ]);
  expect(report.errors?.foot).toContain('from the weighbridge’s interval of 10\u00a0kg');
  expect(report.calibration).toContainEqual({
    label: 'Traceability',
    value: 'Example Creek was verified to 9 March 2027, certificate VC-88213',
  });
  expect(report.missing).toContain(
    'the customer; the conditions of the place; results before adjustment; an accreditation',
  );
  expect(report.missing).toContain('This report is no certificate.');
  expect((await reportPdf(report)).length).toBeGreaterThan(1000);
  const { evidence, judgement, lines } = await page('ERR1');
  expect(evidence.notes[0]).toMatchObject({ look: 'error', link: { to: '#lines' } });
  expect(lines?.shown?.lines[0]?.check).toMatch(
    /^At 5,060\u00a0kg it showed 5,066\u00a0kg: 6\u00a0kg more, ±\u00a0\d\d\u00a0kg\. Conforms\.$/,
  );
  const { items } = await (await apiApp(services).request('/vehicles/ERR1/sets')).json();
  expect(items[0].check_load).toMatchObject({ tolerance_kg: '500.000000', decision: expect.stringMatching(/conform/) });
  // It colours nothing: the same truck without a check load has the same verdict.
  await recorded('ERR2', {});
  expect((await page('ERR2')).judgement.verdict).toBe(judgement.verdict);
});

test('without a check load nothing is claimed, and the report says so', async () => {
  const report = await recorded('ERR3', {});
  expect(report.errors).toBeNull();
  expect(report.missing).toContain('an uncertainty, and a statement of conformity: no check load was weighed');
  const { evidence, lines } = await page('ERR3');
  expect(lines?.shown?.lines[0]?.check).toBeNull();
  expect(evidence.notes.filter(({ look }) => look === 'error')).toEqual([]);
});

test('the example on the page of the method is worked out by the function itself', () => {
  const { example, sections } = methodWords(20);
  expect(example.map(({ value }) => value).slice(3)).toEqual([
    '12372.4 kg, with m = 4,805.3 kg/V and t = 0.699',
    '127.6 kg less',
    '± 66.6 kg',
    '500 kg',
    'Conforms',
  ]);
  expect(sections.flatMap(({ lines }) => lines).join(' ')).toContain('e = 20 kg is assumed');
});
