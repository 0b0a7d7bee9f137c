// Every event of record through the product's own writes, on a database that insists on leaves: each leaves each of its
// records as its last leaf covers it.
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { applicationSchema } from '#app/applications/application.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import { calibrationSchema, correctionSchema } from '#app/recording/calibration-entry.ts';
import { closeExpired, finishVisit } from '#app/visits/close-visit.server.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { hidePhoto } from '#app/visits/hide-photo.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { OPEN_MS } from '#app/visits/visit.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { confirmProposal, withdrawProposal } from '#app/policy/decide-proposal.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import { listSuspensions } from '#app/technicians/queries.server.ts';
import { recordLicenceEnd } from '#app/technicians/record-licence-end.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { reinstateTechnician, suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { askCheckVisit, withdrawCheckVisit } from '#app/check-visits/office/ask-check-visit.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';
import { addSignedIn } from '#test/people.ts';
import { uploadPhoto } from '#test/photos.ts';
import { policyInput } from '#test/policy.ts';
import { recordReference } from '#test/recorded-reference.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, setInput, vehicleInput } from '#test/vehicles.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { recordName, snapshotRecords, type RecordRef } from './record-snapshot.server.ts';
import type { RecordTable } from '#database/log-tables.ts';

const TABLES: readonly [RecordTable, string][] = [
  ['vehicle', 'id::text'],
  ['calibration', `rego || '/' || id`],
  ['calibration_set', 'id::text'],
  ['visit', 'id::text'],
  ['visit_decision', 'id::text'],
  ['check_visit', 'id::text'],
  ['validation', 'id::text'],
  ['vehicle_file', 'id::text'],
  ['technician', 'id::text'],
  ['suspension', 'id::text'],
  ['policy', 'version::text'],
  ['policy_proposal', 'id::text'],
  ['reference', 'id::text'],
  ['admin', 'id::text'],
  ['reference_verification', 'id::text'],
  ['reference_repair', 'id::text'],
  ['reference_withdrawal', 'id::text'],
  ['wrong_report', 'id::text'],
];

/** All records, and those that their last leaf does not cover as they are. */
async function uncovered(db: Db): Promise<{ records: number; wrong: string[] }> {
  const refs: RecordRef[] = [];
  for (const [table, key] of TABLES) {
    const { rows } = await sql<{ key: string }>`select ${sql.raw(key)} as key from ${sql.table(table)}
      ${table === 'vehicle_file' ? sql`where role = 'certificate'` : sql``}`.execute(db);
    refs.push(...rows.map((row) => ({ table, key: row.key })));
  }
  const { rows } = await sql<{ recordTable: RecordTable; recordKey: string; value: Record<string, unknown> }>`
    select distinct on (record_table, record_key) record_table, record_key, o.value
    from record_leaf r join leaf_opening o on o.leaf_index = r.leaf_index and o.field = 'rest'
    order by record_table, record_key, r.leaf_index desc`.execute(db);
  const covered = new Map(
    rows.map(({ recordTable: table, recordKey: key, value }) => [recordName({ table, key }), value]),
  );
  const { rows: stored } = await snapshotRecords(db, refs);
  const wrong = refs
    .map(recordName)
    .filter((name) => JSON.stringify(sorted(covered.get(name)?.[name])) !== JSON.stringify(sorted(stored.get(name))));
  return { records: refs.length, wrong };
}
const sorted = (row: unknown) =>
  typeof row === 'object' && row !== null ? Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)) : row;
const typesOf = async (db: Db) => {
  const { rows } = await sql<{
    type: string;
  }>`select entry::jsonb ->> 'type' as type from log_leaf order by index`.execute(db);
  return rows.map(({ type }) => type);
};

let services: TestServices;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());

test('what people do', async () => {
  const { db } = services;
  const now = services.now();
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a01414' } })
    .jpeg()
    .toBuffer();
  const stage = async (bytes: Uint8Array) => {
    const upload = await addTemporaryUpload(services, admin.personId, {
      role: 'certificate',
      upload: { name: 'c.jpg', bytes },
    });
    if (!upload.added) throw new Error(upload.reason);
    return upload.id;
  };
  const rego = 'EVERY1';
  const input = (more: Record<string, string> = {}) => vehicleInput({ rego, make: 'Volvo', ...more });
  const files = { ...NO_FILES, certificate: await stage(picture) };
  await registerVehicle(services, admin, {
    input: input({ axle_groups: 'STEER', calibration_validated: 'yes', next_calibration_due: '2026-12-01' }),
    choice: files,
    key: undefined,
  });
  expect(await typesOf(db)).toEqual([
    'admin.added',
    'vehicle.registered',
    'certificate.added',
    'calibration.validated',
  ]);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });

  const entry = calibrationSchema('2026-11-21').parse({
    axle: 'STEER',
    attribute: 'Empty Volt',
    value: '0.84',
    due_date: '2027-05-14',
  });
  const recorded = await recordCalibration(db, admin, {
    rego,
    input: entry,
    now,
    zone: 'Australia/Sydney',
    key: undefined,
  });
  if (!recorded.recorded) throw new Error(recorded.reason);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  const correction = correctionSchema.parse({
    axle: 'STEER',
    attribute: 'Empty Volt',
    value: '0.85',
    due_date: '2027-05-01',
    reason: 'Misread.',
  });
  const corrected = await correctCalibration(db, admin, {
    rego,
    id: recorded.id,
    input: correction,
    now,
    key: undefined,
    zone: 'Australia/Sydney',
  });
  expect(corrected.corrected).toBe(true);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });

  const { visitId } = await db.selectFrom('calibration').select('visitId').limit(1).executeTakeFirstOrThrow();
  const moment = { now, zone: 'Australia/Sydney', key: undefined };
  const finish = () => finishVisit(db, admin, { rego, visitId: visitId ?? '', ...moment });
  expect(await finish()).toMatchObject({ finished: true });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });

  const visit = { ...setInput('', now), due_date: '2027-05-14' };
  const photo = await uploadPhoto(services, admin);
  const set = await recordCalibrationSet(services, admin, { rego, input: visit, photos: [photo], key: undefined });
  expect(set).toMatchObject({ recorded: true, state: 'counts' });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  const hidden = await hidePhoto(db, admin, { visitId: set.recorded ? set.setId : '', now, key: undefined });
  expect(hidden).toEqual({ hidden: true });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });

  const version = async () => {
    const found = await findVehicle(db, rego);
    return found.state === 'live' ? String(found.vehicle.version) : '';
  };
  const replaced = {
    ...NO_FILES,
    certificate: await stage(Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')),
  };
  const state = { axle_groups: 'STEER', calibration_validated: 'no', next_calibration_due: '2027-06-01' };
  const updateWith = async (files: typeof replaced | typeof NO_FILES) => {
    const typed = input({ ...state, make: 'Mack', version: await version(), reason: 'Asked to.' });
    expect(await updateVehicle(services, admin, { rego, input: typed, choice: files, key: undefined })).toEqual({
      updated: true,
    });
  };
  await updateWith(replaced);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  await updateWith({ ...NO_FILES, removeCertificate: true });
  await decideValidation(db, admin, { rego, validated: true, reason: 'Looked at it.' });
  await decideValidation(db, admin, { rego, validated: false, reason: 'Looked again.' });

  // It repeats the readings of the set before.
  const again = await recordCalibrationSet(services, admin, { rego, input: visit, photos: [], key: undefined });
  const decide = (decision: 'accepted' | 'set-aside', openedState: string) => {
    const reason = decision === 'accepted' ? 'weighed-again' : 'recorded-twice';
    const input = { decision, reason, note: 'Looked.', openedState } as const;
    return decideVisit(db, admin, { visitId: again.recorded ? again.setId : '', input, now, key: undefined });
  };
  expect(await decide('accepted', 'waits')).toEqual({ decided: true, rego });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  expect(await decide('set-aside', 'accepted')).toEqual({ decided: true, rego });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  expect((await recordCalibration(db, admin, { rego, input: entry, ...moment })).recorded).toBe(true);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  expect(await closeExpired(db, { ...moment, now: new Date(now.getTime() + 2 * OPEN_MS) })).toBe(1);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  await removeVehicle(db, admin, { rego });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  const { id } = await db.selectFrom('vehicle').select('id').where('rego', '=', rego).executeTakeFirstOrThrow();
  await restoreVehicle(db, admin, { id });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });

  const email = 'office@northside.example';
  const application = applicationSchema.parse({
    email,
    company_name: 'N',
    abn: '51 824 753 556',
    trade_licence_num: 'S',
    rep_name: 'Priya',
  });
  await requestRegistration(services, '192.0.2.1', { input: application, key: undefined });
  expect(await approveApplication(services, admin, { email, first: { by: 'link' }, key: undefined })).toEqual({
    approved: true,
  });
  await recordLicenceEnd(services, admin, { email, endsOn: '2027-01-31', key: undefined });
  const suspended = { from: '2026-11-21', reason: 'Asked about.' };
  expect(await suspendTechnician(services, admin, { email, ...suspended, key: undefined })).toEqual({ decided: true });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  const { id: technicianId } = await db.selectFrom('technician').select('id').executeTakeFirstOrThrow();
  const [suspension] = await listSuspensions(db, technicianId);
  const lifted = { from: '2026-11-22', suspension: suspension?.id ?? '' };
  expect(await reinstateTechnician(services, admin, { email, ...lifted, key: undefined })).toEqual({ decided: true });
  await removeTechnician(services, admin, { email });
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  expect((await typesOf(db)).join(' ')).toBe(
    'admin.added vehicle.registered certificate.added calibration.validated calibration.recorded calibration.corrected visit.closed ' +
      'calibration.recorded calibration.recorded calibration.recorded calibration.recorded calibration-set.recorded photo.hidden ' +
      'vehicle.updated certificate.removed certificate.added due.set-by-hand calibration.unvalidated ' +
      'vehicle.updated certificate.removed calibration.validated calibration.unvalidated ' +
      'calibration.recorded calibration.recorded calibration.recorded calibration.recorded calibration-set.recorded ' +
      'visit.accepted calibration.validated visit.set-aside calibration.recorded visit.closed ' +
      'vehicle.deleted vehicle.restored ' +
      'technician.approved technician.updated technician.suspended technician.reinstated technician.removed',
  );
  await enterFirstPolicy(db);
  const second = await addSignedIn(services, 'admin', 'ruth@registry.example', 'Ruth');
  const changed = policyInput(FIRST_POLICY, { due_soon_days: '45', reason: 'Why.' });
  expect(await changePolicy(services, admin, { input: changed, key: undefined })).toEqual({
    changed: true,
    version: 2,
  });
  for (let round = 0; round < 2; round += 1) {
    const looser = policyInput(await currentPolicy(db), { prompt_days: '14' });
    expect(await changePolicy(services, admin, { input: looser, key: undefined })).toEqual({
      changed: false,
      proposed: true,
    });
    expect(await uncovered(db)).toMatchObject({ wrong: [] });
    const { id = '' } = (await findProposal(db)) ?? {};
    if (round === 0) await withdrawProposal(services, admin, { id, key: undefined });
    else await confirmProposal(services, second, { id, key: undefined });
    expect(await uncovered(db)).toMatchObject({ wrong: [] });
  }
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  await recordReference(db, services.config.dataDir);
  expect(await uncovered(db)).toMatchObject({ wrong: [] });
  const checked = set.recorded ? set.setId : '';
  const asked = await askCheckVisit(services, second, { visitId: checked, note: 'Why.', key: undefined });
  expect([asked, await uncovered(db)]).toMatchObject([{ asked: true }, { wrong: [] }]);
  const back = await withdrawCheckVisit(services, second, { visitId: checked, key: undefined });
  expect([back, await uncovered(db)]).toMatchObject([{ withdrawn: true }, { wrong: [] }]);

  // A refusal leaves none.
  const size = (await typesOf(db)).length;
  await decideValidation(db, admin, { rego, validated: true, reason: '' });
  expect(await finish()).toEqual({ finished: false, reason: 'not-open' });
  expect(await decide('set-aside', 'accepted')).toMatchObject({ decided: false, reason: 'stale' });
  const late = input({ ...state, version: await version(), next_calibration_due: '2027-11-23', reason: 'x' });
  expect(await updateVehicle(services, admin, { rego, input: late, choice: NO_FILES, key: undefined })).toMatchObject({
    reason: 'due-too-late',
  });
  await removeTechnician(services, admin, { email });
  await suspendTechnician(services, admin, { email, ...suspended, key: undefined });
  await reinstateTechnician(services, admin, { email, ...lifted, key: undefined });
  await recordLicenceEnd(services, admin, { email, endsOn: null, key: undefined });
  await recordCalibration(db, admin, { rego: 'NOBODY', input: entry, now, zone: 'Australia/Sydney', key: undefined });
  await changePolicy(services, admin, { input: changed, key: undefined });
  await recordCalibrationSet(services, admin, { rego: 'NOBODY', input: setInput('', now), photos: [], key: undefined });
  expect(await typesOf(db)).toHaveLength(size);
});

test('what an import brings, twice, and what changed in it', async () => {
  const bench: ImportBench = await openImportBench();
  await insistOnLeaves(bench.database.address, true);
  const { db } = bench.database;
  const data: Record<string, Record<string, Record<string, unknown>>> = JSON.parse(
    JSON.stringify(demoExport('2026-11-21')),
  );
  await bench.run(data);
  const first = await uncovered(db);
  expect(first.wrong).toEqual([]);
  expect(first.records).toBeGreaterThan(2700);
  const size = (await typesOf(db)).length;
  // The files come later: links become certificates.
  await bench.run(data, { bucket: DEMO_BUCKET });
  expect((await uncovered(db)).wrong).toEqual([]);
  const vehicle = data['Vehicles']?.['XV04KL'];
  if (vehicle === undefined) throw new Error('no XV04KL');
  vehicle['company_name'] = 'Another one';
  vehicle['certificate'] = '';
  const calibrations: Record<string, Record<string, unknown>> = JSON.parse(JSON.stringify(vehicle['calibrations']));
  const [some] = Object.keys(calibrations);
  if (some !== undefined) calibrations[some] = { ...calibrations[some], calibration_value: '77' };
  vehicle['calibrations'] = calibrations;
  await bench.run(data, { bucket: DEMO_BUCKET });
  expect((await uncovered(db)).wrong).toEqual([]);
  const added = (await typesOf(db)).slice(size);
  for (const type of ['certificate.added', 'certificate.removed', 'vehicle.updated', 'calibration.corrected'])
    expect(added).toContain(type);
  await bench.close();
}, 60_000);
