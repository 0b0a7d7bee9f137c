// The list of a vehicle's fields against everything that follows from it: one that is added to the list is asked here
// too.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { exportLines } from '#app/vehicles/export-vehicles.server.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { textsOf } from '#app/vehicles/vehicle-columns.server.ts';
import { vehicleSchema } from '#app/vehicles/vehicle-entry.ts';
import { VEHICLE_FIELDS, wordsOf, type Field } from '#app/vehicles/vehicle-fields.ts';
import type { Permission } from '#app/access/permissions.ts';
import { VehicleForm } from '#app/vehicles/vehicle-form.tsx';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { apiApp } from '#server/api.ts';
import { reportOf } from '#test/reports.ts';
import { openImportBench } from './import-run.ts';
import { addSignedIn } from './people.ts';
import { createTestServices, type TestServices } from './services.ts';
import { NO_FILES } from './vehicles.ts';

const ORIGIN = 'https://registry.example';
const typed = Object.fromEntries(VEHICLE_FIELDS.map((field, place) => [field.name, sampleOf(field, place)]));
const stored = ({ kind, name }: Field) => (kind === 'yes-no' ? true : typed[name]);
let services: TestServices;
let admin: SignedIn;
let technician: SignedIn;

function sampleOf({ kind, name }: Field, place: number): string {
  if (kind === 'vin') return '6T9HZ8FM2PA100418';
  if (kind === 'day') return `2027-01-${10 + place}`;
  if (name === 'plate_state') return 'QLD';
  if (name === 'scale_category') return 'B';
  if (kind === 'choice') return name === 'scale_unit' ? 'truck' : 'trailer';
  if (kind === 'axle groups') return 'STEER DRIVE';
  if (kind === 'group details') return 'DRIVE tandem dual-tyres';
  return kind === 'yes-no' ? 'yes' : `its ${name}`;
}

const register = (rego: string, who: SignedIn) =>
  registerVehicle(services, who, { input: vehicleSchema.parse({ rego, ...typed }), choice: NO_FILES, key: undefined });
async function find(rego: string): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
}

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  technician = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
  await register('ALL1', admin);
  await register('OPEN1', technician);
});
afterAll(() => services.stop());

test('what is typed into each field is stored; what decides, only of an admin', async () => {
  const [all, open] = [await find('ALL1'), await find('OPEN1')];
  for (const field of VEHICLE_FIELDS) {
    expect([field.name, all[field.column]]).toEqual([field.name, stored(field)]);
    const isLeft =
      'setBy' in field && (open[field.column] === null || open[field.column] === false || open[field.column] === '');
    expect([field.name, isLeft || open[field.column] === stored(field)]).toEqual([field.name, true]);
    if ('setBy' in field) expect([field.name, isLeft]).toEqual([field.name, true]);
  }
});

test('the form has an input for each field, with its label and what is stored', async () => {
  const values = { rego: 'ALL1', ...textsOf(await find('ALL1')), version: '1' };
  const formOf = (may: readonly Permission[]) => {
    const form = { title: 'Update Vehicle', button: 'Update Vehicle', values, idempotencyKey: 'key', files: [] };
    const Stub = createRoutesStub([
      {
        id: 'root',
        path: '/',
        Component: () => createElement(VehicleForm, { ...form, answer: undefined, back: '/' }),
      },
    ]);
    const site = { registryName: '', city: '', signedIn: { name: '', personId: '', may } };
    return renderToString(createElement(Stub, { hydrationData: { loaderData: { root: site } } }));
  };
  const whole = formOf(['validate vehicles']);
  const plain = formOf([]);
  for (const field of VEHICLE_FIELDS) {
    // The table of groups has a row for each, and sends both texts part by part.
    if (field.kind === 'group details') continue;
    expect(whole).toContain(`>${field.label}</`);
    if (field.kind === 'axle groups') continue;
    // A known state is shown, and changes with the plate.
    const isTiles = field.kind === 'yes-no' || (field.kind === 'choice' && field.name !== 'plate_state');
    const tiles = field.kind === 'choice' ? field.options.length : 2;
    expect([field.name, whole.split(` name="${field.name}"`).length]).toEqual([field.name, isTiles ? tiles + 1 : 2]);
    expect(plain.includes(` name="${field.name}"`)).toBe(!('setBy' in field));
  }
});

test('the CSV has a column for each field', async () => {
  const given = { today: '2026-11-21', policy: FIRST_POLICY, origin: ORIGIN };
  let text = '';
  for await (const block of exportLines(services.db, parseListQuery(new URLSearchParams('q=ALL1')), given))
    text += block;
  const [names = [], cells = []] = text.split('\r\n').map((line) => line.replace('\uFEFF', '').split(','));
  for (const field of VEHICLE_FIELDS)
    expect([field.name, cells[names.indexOf(field.name)]]).toEqual([field.name, String(stored(field))]);
});

test('page, report and API show what anyone may see, and nothing of the office', async () => {
  const pageFor = async (who: SignedIn | null) => {
    const found = await vehiclePage(services, 'ALL1', { asked: new URLSearchParams(), origin: ORIGIN, who });
    if (found.state !== 'live') throw new Error(found.state);
    return found.page;
  };
  const page = await pageFor(null);
  const office = await pageFor(technician);
  const report = await reportOf(services, 'ALL1');
  const answer: unknown = await (await apiApp(services).request('/vehicles/ALL1')).json();
  for (const field of VEHICLE_FIELDS) {
    const isPublic = field.seen !== 'office';
    if (isPublic) expect(answer).toHaveProperty(field.name, stored(field));
    else {
      expect(answer).not.toHaveProperty(field.name);
      expect(JSON.stringify([page, report, answer])).not.toContain(typed[field.name]);
    }
    if (!('fact' in field)) continue;
    const text = wordsOf(field, String(stored(field)));
    const value = field.kind === 'day' ? formatDay(typed[field.name] ?? '') : text;
    const fact = { label: field.fact, value };
    if (isPublic) expect(page.facts).toContainEqual({ ...fact, kind: field.kind });
    if (isPublic) expect(report.item).toContainEqual(fact);
    else expect(office.office?.facts).toContainEqual({ ...fact, kind: field.kind });
  }
});

test('each field of a former record is taken, and missed when it is expected and absent', async () => {
  const bench = await openImportBench();
  const fields = VEHICLE_FIELDS.map((field) => [field.name, stored(field)]);
  // The former register has no field for the axle groups: its readings name them.
  const read = (axle: string) => ({ axle_type: axle, calibration_attribute: 'Empty Volt', calibration_value: '1' });
  const former = {
    ...Object.fromEntries(fields),
    axle_groups: '',
    calibrations: { 1780000000000: read('DRIVE'), 1780000000001: read('STEER') },
  };
  const { lines } = await bench.run({ Vehicles: { FULL1: { rego: 'FULL1', ...former }, BARE1: { rego: 'BARE1' } } });
  const rows = await bench.database.db.selectFrom('vehicle').selectAll().where('rego', '=', 'FULL1').execute();
  for (const field of VEHICLE_FIELDS) {
    // The former register knows trucks alone, and nothing of their axles.
    const isNew = field.kind === 'choice' || field.kind === 'group details';
    expect([field.name, rows[0]?.[field.column]]).toEqual([field.name, isNew ? '' : stored(field)]);
    expect([field.name, lines.includes(`Vehicles/BARE1: missing: no ${field.name}`)]).toEqual([
      field.name,
      field.imported === 'expected',
    ]);
  }
  await bench.close();
});
