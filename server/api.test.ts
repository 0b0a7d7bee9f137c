import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterLeaves } from '#test/leaves.ts';
import { z } from 'zod';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { apiApp } from './api.ts';

let services: TestServices;
let api: ReturnType<typeof apiApp>;
beforeAll(async () => {
  services = await createTestServices();
  api = apiApp(services);
  await services.db.transaction().execute(async (tx) => {
    const actor = await findOrAddActor(tx, { name: 'J. Nguyen', email: 'secret-address@x.example' });
    const { id } = await tx
      .insertInto('vehicle')
      .values({
        rego: 'XV04KL',
        vin: '6T9HZ8FM2PA100418',
        driverName: 'PRIVATE DRIVER',
        notes: 'PRIVATE NOTES',
        addedBy: actor,
        updatedBy: actor,
        calibrationValidated: true,
        nextCalibrationDueOn: '2026-11-21',
        warrantyExpiresOn: '2028-06-30',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('calibration')
      .values([
        {
          rego: 'XV04KL',
          id: 1_794_525_720_000,
          vehicleId: id,
          axle: 'DRIVE',
          attribute: 'Loaded Weight',
          value: '15640.50',
          dueOn: '2027-05-14',
          calibratedAt: new Date(1_794_525_720_000),
          technicianId: actor,
        },
        {
          rego: 'XV04KL',
          id: 1_794_525_720_001,
          vehicleId: id,
          axle: 'DRIVE',
          attribute: 'Loaded Volt',
          value: '3.180',
          calibratedAt: new Date(1_794_525_720_001),
          technicianId: actor,
        },
      ])
      .execute();
    await tx
      .insertInto('vehicle')
      .values([
        { rego: 'GONE01', deletedAt: new Date('2026-03-01T00:00:00Z') },
        ...Array.from({ length: 23 }, (_, index) => ({ rego: `BULK${index + 10}` })),
      ])
      .execute();
  });
  await enterLeaves(services.db);
});
afterAll(() => services.stop());

const get = (path: string, headers: Record<string, string> = {}) => Promise.resolve(api.request(path, { headers }));
const json = async (path: string) => z.record(z.string(), z.unknown()).parse(await (await get(path)).json());

test('a search answers a page of items with the exact total; an empty one lists all', async () => {
  expect(await json('/vehicles?q=ha1004')).toMatchObject({ page: 1, pages: 1, total: 0, items: [] });
  expect(await json('/vehicles?q=pa%201004')).toMatchObject({
    page: 1,
    pages: 1,
    total: 1,
    items: [
      {
        rego: 'XV04KL',
        verdict: 'due-soon',
        valid_calibration: true,
        as_at: '2026-11-21',
        policy_version: 1,
        warranty_expiry_date: '2028-06-30',
      },
    ],
  });
  expect(await json('/vehicles?q=&page=3')).toMatchObject({ page: 3, pages: 3, total: 24 });
  expect(await json('/vehicles')).toMatchObject({ page: 1, total: 24 });
});

test('what looks like the rego asked for stands beside the answer, never in it', async () => {
  expect(await json('/vehicles?q=xv-o4kl')).toMatchObject({ total: 0, items: [], did_you_mean: ['XV04KL'] });
  expect(await json('/vehicles?q=04KL')).toMatchObject({ total: 1, did_you_mean: [] });
  expect(await json('/vehicles?q=G0NE01')).toMatchObject({ total: 0, did_you_mean: [] });
  expect(await json('/vehicles/XVO4KL')).toMatchObject({ code: 'vehicle-unknown', did_you_mean: ['XV04KL'] });
  expect(await json('/vehicles/VX04KL/calibrations')).toMatchObject({ did_you_mean: ['XV04KL'] });
});

test('the verdict turns at local midnight, and nowhere else', async () => {
  services.setNow('2026-11-21T12:59:59Z');
  expect(await json('/vehicles/XV04KL')).toMatchObject({
    verdict: 'due-soon',
    valid_calibration: true,
    as_at: '2026-11-21',
  });
  services.setNow('2026-11-21T13:00:00Z');
  expect(await json('/vehicles/XV04KL')).toMatchObject({
    verdict: 'overdue',
    valid_calibration: false,
    as_at: '2026-11-22',
    verdict_sentence: 'Not valid today. Calibration was due on 21 November 2026, 1 day ago.',
  });
  services.setNow('2026-11-21T00:00:00Z');
});

test('of a withdrawn validation the sentence says when it was', async () => {
  const { db } = services;
  const { id } = await db.selectFrom('vehicle').select('id').where('rego', '=', 'XV04KL').executeTakeFirstOrThrow();
  const validate = (calibrationValidated: boolean) =>
    db.updateTable('vehicle').set({ calibrationValidated }).where('id', '=', id).execute();
  await validate(false);
  const sentence = async () => (await json('/vehicles/XV04KL'))['verdict_sentence'];
  expect(await sentence()).toBe('Not valid today. Calibrations are recorded, but none has been validated.');
  for (const validated of [true, false])
    await db
      .insertInto('validation')
      .values({ vehicleId: id, validated, decidedAt: new Date(`2026-11-1${validated ? 0 : 2}T13:00:00Z`) })
      .execute();
  expect(await sentence()).toBe('Not valid today. The validation was withdrawn on 13 November 2026.');
  await validate(true);
});

test('calibrations come newest first, values exactly as entered', async () => {
  expect(await json('/vehicles/xv-04kl/calibrations')).toEqual({
    page: 1,
    pages: 1,
    total: 2,
    missing: [],
    items: [
      expect.objectContaining({ id: 1_794_525_720_001, calibration_value: '3.180', unit: 'V' }),
      {
        id: 1_794_525_720_000,
        rego: 'XV04KL',
        axle_type: 'DRIVE',
        calibration_attribute: 'Loaded Weight',
        calibration_value: '15640.50',
        unit: 'kg',
        left_and_right: null,
        calibration_date_time: '13 November 2026, 10:22 am',
        calibrated_at: '2026-11-12T23:22:00.000Z',
        calibrating_technician: 'J. Nguyen',
        calibration_due_date: '2027-05-14',
        origin: 'recorded',
        corrects: null,
        correction_reason: '',
        corrected_by: null,
        matches_log: true,
      },
    ],
  });
  expect(await json('/vehicles/XV04KL/calibrations/1794525720000')).toMatchObject({ calibration_value: '15640.50' });
});

test('nothing private is ever in an answer', async () => {
  for (const path of [
    '/vehicles?q=XV',
    '/vehicles/XV04KL',
    '/vehicles/XV04KL/calibrations',
    '/vehicles/XV04KL/calibrations/1794525720000',
  ])
    expect(await (await get(path)).text()).not.toMatch(/PRIVATE|secret-address|driver|notes|added_by|updated_by/);
});

test.each([
  ['/vehicles/%20', 400, 'rego-missing'],
  ['/vehicles/A%2FB', 400, 'rego-invalid'],
  ['/vehicles/NOPE99', 404, 'vehicle-unknown'],
  ['/vehicles/GONE01', 410, 'vehicle-removed'],
  ['/vehicles/NOPE99/calibrations', 404, 'vehicle-unknown'],
  ['/vehicles/XV04KL/calibrations/1', 404, 'calibration-unknown'],
  ['/vehicles/XV04KL/calibrations/1e3', 400, 'calibration-invalid'],
  ['/vehicles?page=0', 400, 'page-invalid'],
  ['/vehicles?page=1.5', 400, 'page-invalid'],
  ['/nothing', 404, 'no-such-address'],
])('%s answers %i %s as problem details', async (path, status, code) => {
  const response = await get(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await response.json()).toMatchObject({
    status,
    code,
    type: `urn:truck-scale-registry:problem:${code}`,
    detail: expect.stringMatching(/\.$/),
  });
});

test('an unchanged answer is a 304; everyone may ask from anywhere; nobody may write', async () => {
  const first = await get('/vehicles/XV04KL');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\//);
  const again = await get('/vehicles/XV04KL', { 'if-none-match': etag, origin: 'https://elsewhere.example' });
  expect([again.status, await again.text(), again.headers.get('access-control-allow-origin')]).toEqual([304, '', '*']);
  expect(again.headers.get('content-type')).toBeNull();
  const asked = await api.request('/vehicles/XV04KL', {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
  });
  expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'GET,HEAD']);
  const head = await api.request('/vehicles/XV04KL', { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  expect((await api.request('/vehicles/XV04KL', { method: 'POST' })).status).toBe(405);
  expect((await api.request('/vehicles/XV04KL', { method: 'DELETE' })).status).toBe(405);
});

test('the description names every address', async () => {
  const { paths, openapi } = await json('/openapi.json');
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(z.record(z.string(), z.unknown()).parse(paths)).toSorted()).toEqual([
    '/check',
    '/combination',
    '/log/entries/{index}/proof',
    '/policies',
    '/policies/{version}/proof',
    '/references',
    '/references/{id}',
    '/vehicles',
    '/vehicles/{rego}',
    '/vehicles/{rego}/calibrations',
    '/vehicles/{rego}/calibrations/{id}',
    '/vehicles/{rego}/calibrations/{id}/proof',
    '/vehicles/{rego}/on/{day}',
    '/vehicles/{rego}/on/{day}/proof',
    '/vehicles/{rego}/proof',
    '/vehicles/{rego}/proof.svg',
    '/vehicles/{rego}/sets',
    '/vehicles/{rego}/sets/{id}',
    '/vehicles/{rego}/sets/{id}/proof',
  ]);
});
