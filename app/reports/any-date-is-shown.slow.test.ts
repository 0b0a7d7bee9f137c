// Whatever the columns of days and instants hold, what reads them answers: pages, reports, files and the API.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { myVisitsPage } from '#app/recording/my-visits-page.server.ts';
import { dashboardPage } from '#app/dashboard/dashboard-page.server.ts';
import { fieldData } from '#app/field/field-data.server.ts';
import { addRepair } from '#app/references/add-repair.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { referencePage } from '#app/references/reference-page.server.ts';
import { historyPage } from '#app/vehicle-page/history-page.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { vehicleListPage } from '#app/vehicles/vehicle-list-page.server.ts';
import { queuePage } from '#app/visit-queue/queue-page.server.ts';
import { visitPage } from '#app/visit-queue/visit-page.server.ts';
import { apiApp } from '#server/api.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, withdraw, type Weighbridge } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { recordHonestSet } from '#test/visits.ts';
import { answerReport } from './answer-report.server.ts';

const REGO = 'ODD1';
const DAYS = [
  '0001-01-01 BC',
  '4713-01-01 BC',
  '0001-01-01',
  '1850-02-28',
  '9999-12-31',
  '294000-12-31',
  'infinity',
  '-infinity',
];
const TABLES = [
  'vehicle',
  'validation',
  'calibration',
  'calibration_set',
  'visit',
  'visit_decision',
  'vehicle_file',
  'reference_verification',
  'reference_repair',
  'reference_withdrawal',
  'technician',
  'admin',
  'person',
];
type Column = { table: string; column: string };
let services: TestServices;
let mia: SignedIn;
let tech: SignedIn;
let columns: Column[];
let bridge: Weighbridge;
let visitId: string;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const ann = await addSignedIn(services, 'admin', 'ann@registry.example', 'Ann');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
  await addTruck(services, mia, REGO);
  bridge = await addWeighbridge(services, mia, 'Bridge');
  const period = { certificateNumber: 'C1', fromOn: '2026-05-01', toOn: '2027-04-30' };
  await addVerification(services, mia, { referenceId: bridge.id, period, file: '', key: undefined });
  await addRepair(services.db, mia, { referenceId: bridge.id, on: '2026-06-01', note: 'A cell', key: undefined });
  await withdraw(services, [mia, ann], bridge, ['2026-07-01', '2026-07-02']);
  const recorded = await recordHonestSet(services, tech, REGO, { weighbridge: bridge.line, reference_id: bridge.id });
  visitId = recorded.recorded ? recorded.setId : '';
  const found = await sql<Column>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type in ('date', 'timestamp with time zone') and is_generated = 'NEVER'
      and column_name not in ('deleted_at', 'removed_at') and table_name in (${sql.join(TABLES)})
  `.execute(services.db);
  columns = found.rows;
});
afterAll(() => services.stop());

/** As nobody can who does not own the database. What a column refuses stays as it is. */
async function put(days: readonly string[]): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const [place, { table, column }] of columns.entries()) {
      await sql`savepoint one`.execute(tx);
      try {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${days[place]}`.execute(tx);
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('violates'))) throw error;
        await sql`rollback to savepoint one`.execute(tx);
      }
    }
  });
}

const api = async (path: string) => {
  const answer = await apiApp(services).request(path);
  await answer.text();
  return answer.status;
};
const report = async (file: string, rego?: string) => {
  const answer = await answerReport(services, {
    file,
    client: '',
    origin: 'http://localhost',
    ...(rego === undefined ? {} : { rego }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

async function readAll(): Promise<number[]> {
  const { id } = await services.db.selectFrom('calibration').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const who of [null, mia]) {
    const page = await vehiclePage(services, REGO, { asked: new URLSearchParams(), origin: 'http://localhost', who });
    const history = await historyPage(services, REGO, { asked: null, who });
    JSON.stringify([page, history]);
  }
  JSON.stringify([
    await visitPage(services, mia, visitId),
    await queuePage(services, mia, { state: 'waits', text: '', page: 1 }),
    await referencePage(services, bridge.id, 'office'),
    await dashboardPage(services, mia),
    await vehicleListPage(services, new URL('http://localhost/vehicles')),
    await fieldData(services, tech, []),
    await myVisitsPage(services, tech, { shown: 'all', text: '', page: 1 }),
  ]);
  return [
    await report(`${REGO}.pdf`),
    await report(`${REGO}-history.pdf`),
    await report(`${REGO}-history.csv`),
    await report(`${id}.pdf`, REGO),
    await api(`/vehicles/${REGO}`),
    await api(`/vehicles/${REGO}/calibrations`),
    await api(`/vehicles/${REGO}/calibrations/${id}`),
    await api('/references'),
  ];
}

test.each(['0001-01-01 BC', '9999-12-31', '-infinity'])('where each column holds %s, all is shown', async (day) => {
  await put(columns.map(() => day));
  expect(await readAll()).toEqual(Array(8).fill(200));
});

test('whatever each column holds, all is shown', async () => {
  const day = fc.constantFrom(...DAYS, '2026-05-20', '2000-02-29');
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: columns.length, maxLength: columns.length }), async (days) => {
      await put(days);
      expect(await readAll()).toEqual(Array(8).fill(200));
    }),
    { numRuns: 4 },
  );
});
