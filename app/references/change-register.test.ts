// Every write of the register of weighbridges, on a database that insists on leaves.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { addSignedIn } from '#test/people.ts';
import { referenceInput } from '#test/references.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addReference } from './add-reference.server.ts';
import { addRepair } from './add-repair.server.ts';
import { addVerification } from './add-verification.server.ts';
import { findReference, listRepairs, listVerifications, verificationOn } from './queries.server.ts';
import { updateReference } from './update-reference.server.ts';
import { withdrawVerification } from './withdraw-verification.server.ts';

const KEY = '0b0e7a52-7a70-4a6b-8a35-000000000001';
const NOBODY = '0b0e7a52-7a70-4a6b-8a35-0000000000ff';
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const PERIOD = { certificateNumber: 'VC-88213', fromOn: '2026-03-10', toOn: '2027-03-09' };
const NO_FILE = { file: '', key: undefined };

let services: TestServices;
let admin: SignedIn;
let made = 0;
let id: string;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());
beforeEach(async () => {
  const added = await addReference(services.db, admin, {
    input: referenceInput({ name: `Bridge ${(made += 1)}` }),
    key: undefined,
  });
  if (!added.added) throw new Error(added.reason);
  ({ id } = added);
});

const findings = async () => {
  const found: string[] = [];
  await verifyDatabase(services.db, (finding) => found.push(finding));
  return found;
};
const sizes = async () => {
  const { size, leafSize } = await services.db.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  return { activities: size, leaves: leafSize };
};
const lastLeaf = async () => {
  const { rows } = await sql<{ leaf: { type: string; body: object } }>`
    select entry::jsonb as leaf from log_leaf order by index desc limit 1`.execute(services.db);
  return rows[0]?.leaf;
};
const lastActivity = () =>
  services.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'subject', 'subjectId', 'topics', 'details', 'changes'])
    .orderBy('activityLog.index', 'desc')
    .executeTakeFirstOrThrow();
const body = (more: object = {}) => ({
  reference: id,
  referenceName: `Bridge ${made}`,
  referencePlace: 'Example Creek',
  referenceState: 'VIC',
  ...more,
});

test('a weighbridge is added once, with an entry in both logs that says where it is', async () => {
  const { db } = services;
  expect(await findReference(db, id)).toMatchObject({
    name: `Bridge ${made}`,
    latitude: '-30',
    longitude: '155',
    capacityKg: 80_000,
    intervalKg: 20,
    version: 0,
    changedBy: 'Mia',
  });
  expect(await lastLeaf()).toMatchObject({ type: 'reference.added', body: body() });
  expect(await lastActivity()).toMatchObject({
    kind: 'reference.added',
    subject: 'reference',
    subjectId: id,
    topics: ['references', 'public-log', `person:${admin.personId}`, 'logs'],
    details: `Bridge ${made}, Example Creek VIC added`,
  });
  const before = await sizes();
  const again = referenceInput({ name: `BRIDGE ${made}`, place: 'example creek' });
  expect(await addReference(db, admin, { input: again, key: KEY })).toEqual({ added: false, reason: 'exists', id });
  expect(await sizes()).toEqual(before);
  // Of ten at once one is added; the same form twice has one effect.
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      addReference(db, admin, { input: referenceInput({ name: 'At once' }), key: undefined }),
    ),
  );
  expect(answers.filter(({ added }) => added)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  const twice = await Promise.all(
    [1, 2].map(() => addReference(db, admin, { input: referenceInput({ name: 'Twice' }), key: NOBODY })),
  );
  expect(twice[0]).toEqual(twice[1]);
  expect(twice[0]).toMatchObject({ added: true });
  expect(await findings()).toEqual([]);
});

test('a change names its fields; a stale form, a name of another and no change do nothing', async () => {
  const { db } = services;
  const input = referenceInput({ name: `Bridge ${made}`, capacity_kg: '', operator: 'Another Pty Ltd', version: '0' });
  expect(await updateReference(db, admin, { id, input, key: KEY })).toEqual({ updated: true });
  expect(await updateReference(db, admin, { id, input, key: KEY })).toEqual({ updated: true });
  expect(await findReference(db, id)).toMatchObject({ version: 1, capacityKg: null, operator: 'Another Pty Ltd' });
  expect(await lastLeaf()).toMatchObject({ type: 'reference.updated', body: body() });
  expect(await lastActivity()).toMatchObject({
    kind: 'reference.updated',
    changes: [
      { field: 'operator', from: 'Example Creek Bulk Pty Ltd', to: 'Another Pty Ltd' },
      { field: 'capacity_kg', from: 80_000, to: null },
    ],
  });
  const before = await sizes();
  expect(await updateReference(db, admin, { id, input, key: undefined })).toEqual({ updated: false, reason: 'stale' });
  const same = { ...input, version: 1 };
  expect(await updateReference(db, admin, { id, input: same, key: undefined })).toEqual({ updated: true });
  const other = await addReference(db, admin, { input: referenceInput({ name: `Other ${made}` }), key: undefined });
  const taken = { ...same, name: `other ${made}` };
  expect(await updateReference(db, admin, { id, input: taken, key: undefined })).toEqual({
    updated: false,
    reason: 'exists',
    id: other.id,
  });
  expect(await updateReference(db, admin, { id: NOBODY, input, key: undefined })).toEqual({
    updated: false,
    reason: 'unknown',
  });
  expect(await updateReference(db, admin, { id: 'x', input, key: undefined })).toEqual({
    updated: false,
    reason: 'unknown',
  });
  expect(await sizes()).toEqual({ activities: before.activities + 1, leaves: before.leaves + 1 });
  // Of ten changes of one version one is taken.
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      updateReference(db, admin, { id, input: { ...same, operator: `O${n}` }, key: undefined }),
    ),
  );
  expect(answers.filter(({ updated }) => updated)).toHaveLength(1);
  expect(await findings()).toEqual([]);
});

test('a period covers its days with its certificate, until it is withdrawn as wrong', async () => {
  const { db } = services;
  const upload = await addTemporaryUpload(services, admin.personId, {
    role: 'certificate',
    upload: { name: 'v.pdf', bytes: PDF },
  });
  if (!upload.added) throw new Error(upload.reason);
  expect(
    await addVerification(services, admin, { referenceId: id, period: PERIOD, file: upload.id, key: KEY }),
  ).toEqual({ added: true });
  expect(
    await addVerification(services, admin, { referenceId: id, period: PERIOD, file: upload.id, key: KEY }),
  ).toEqual({ added: true });
  const [period] = await listVerifications(db, id);
  expect(period).toMatchObject({ ...PERIOD, fileName: 'v.pdf', fileSha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const said = { verifiedFrom: '2026-03-10', verifiedTo: '2027-03-09', verificationWithdrawn: false };
  expect(await lastLeaf()).toMatchObject({ type: 'reference.updated', body: body(said) });
  const covers = async (day: string) => (await verificationOn(db, id, day))?.certificateNumber;
  expect(await Promise.all(['2026-03-09', '2026-03-10', '2027-03-09', '2027-03-10'].map(covers))).toEqual([
    undefined,
    'VC-88213',
    'VC-88213',
    undefined,
  ]);
  const before = await sizes();
  expect(await addVerification(services, admin, { referenceId: id, period: PERIOD, ...NO_FILE })).toEqual({
    added: false,
    reason: 'exists',
  });
  expect(await addVerification(services, admin, { referenceId: NOBODY, period: PERIOD, ...NO_FILE })).toEqual({
    added: false,
    reason: 'unknown',
  });
  const gone = { file: NOBODY, key: undefined };
  expect(await addVerification(services, admin, { referenceId: id, period: PERIOD, ...gone })).toEqual({
    added: false,
    reason: 'file-missing',
  });
  const which = { referenceId: id, verificationId: period?.id ?? '' };
  expect(
    await withdrawVerification(db, admin, {
      which: { ...which, referenceId: NOBODY },
      reason: 'Wrong.',
      key: undefined,
    }),
  ).toEqual({
    withdrawn: false,
    reason: 'unknown',
  });
  expect(await sizes()).toEqual(before);
  expect(await withdrawVerification(db, admin, { which, reason: 'Of another weighbridge.', key: undefined })).toEqual({
    withdrawn: true,
  });
  expect(await lastLeaf()).toMatchObject({ body: body({ ...said, verificationWithdrawn: true }) });
  expect(await lastActivity()).toMatchObject({
    kind: 'verification.withdrawn',
    details: `Bridge ${made}, Example Creek VIC: VC-88213, 2026-03-10 to 2027-03-09: Of another weighbridge.`,
  });
  expect(await covers('2026-06-01')).toBeUndefined();
  expect(await withdrawVerification(db, admin, { which, reason: 'Again.', key: undefined })).toEqual({
    withdrawn: false,
    reason: 'withdrawn-already',
  });
  // The same certificate may be recorded again, with other days.
  const right = { ...PERIOD, toOn: '2026-12-31' };
  expect(await addVerification(services, admin, { referenceId: id, period: right, ...NO_FILE })).toEqual({
    added: true,
  });
  expect(await covers('2026-12-31')).toBe('VC-88213');
  expect(await findings()).toEqual([]);
});

test('a repair is noted, with its day in both logs', async () => {
  const { db } = services;
  const repair = { on: '2026-03-02', note: 'Load cell 3 replaced' };
  expect(await addRepair(db, admin, { referenceId: id, ...repair, key: KEY })).toEqual({ added: true });
  expect(await addRepair(db, admin, { referenceId: id, ...repair, key: KEY })).toEqual({ added: true });
  expect(await listRepairs(db, id)).toMatchObject([{ onDay: '2026-03-02', note: 'Load cell 3 replaced' }]);
  expect(await lastLeaf()).toMatchObject({ type: 'reference.updated', body: body({ repairedOn: '2026-03-02' }) });
  expect(await addRepair(db, admin, { referenceId: NOBODY, ...repair, key: undefined })).toEqual({
    added: false,
    reason: 'unknown',
  });
  expect(await findings()).toEqual([]);
});

test('a certificate that is not the one recorded is found', async () => {
  const { db } = services;
  const upload = await addTemporaryUpload(services, admin.personId, {
    role: 'certificate',
    upload: { name: 'v.pdf', bytes: PDF },
  });
  await addVerification(services, admin, {
    referenceId: id,
    period: PERIOD,
    file: upload.added ? upload.id : '',
    key: undefined,
  });
  const [period] = await listVerifications(db, id);
  const swap = (sha256: string) =>
    db
      .updateTable('storedFile')
      .set({ sha256 })
      .where('id', '=', period?.fileId ?? '')
      .execute();
  await swap('0'.repeat(64));
  expect(await findings()).toEqual([
    `reference_verification ${period?.id}: the file kept of its certificate is not the one recorded.`,
  ]);
  await swap(period?.fileSha256 ?? '');
  expect(await findings()).toEqual([]);
});

test('the database refuses other changes, and what is changed behind that is found', async () => {
  const { db } = services;
  await addVerification(services, admin, { referenceId: id, period: PERIOD, ...NO_FILE });
  await addRepair(db, admin, { referenceId: id, on: '2026-03-02', note: 'Deck', key: undefined });
  for (const change of [
    sql`delete from reference where id = ${id}`,
    sql`truncate reference cascade`,
    sql`update reference_verification set to_on = '2030-01-01' where reference_id = ${id}`,
    sql`update reference_verification set removed_at = null where reference_id = ${id}`,
    sql`delete from reference_verification where reference_id = ${id}`,
    sql`update reference_repair set note = 'Other' where reference_id = ${id}`,
  ])
    await expect(change.execute(db)).rejects.toThrow(/refused|never edited/);
  for (const table of ['reference', 'reference_verification', 'reference_repair'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await sql`insert into reference_repair (reference_id, on_day, note, added_by)
    select reference_id, '2026-01-01', 'Put in', added_by from reference_repair where reference_id = ${id}`.execute(db);
  await sql`update reference set operator = 'Other' where id = ${id}`.execute(db);
  await sql`update reference_verification set to_on = '2030-01-01' where reference_id = ${id}`.execute(db);
  await sql`update reference_repair set note = 'Other' where reference_id = ${id} and note = 'Deck'`.execute(db);
  expect((await findings()).map((finding) => finding.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')).toSorted()).toEqual(
    [
      expect.stringMatching(/^reference …: its operator is not what was logged/),
      expect.stringMatching(/^reference_repair …: its note is not what was logged/),
      expect.stringMatching(/^reference_repair …: the log has no entry about it/),
      expect.stringMatching(/^reference_verification …: its to_on is not what was logged/),
    ],
  );
});
