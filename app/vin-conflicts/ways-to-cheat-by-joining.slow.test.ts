// Ways to make an overdue truck look good by joining records: a fresh one as the kept or the closed one, a join that is
// undone, one that hides what was found.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { adminInput } from '#test/admins.ts';
import { decideLastJoin, join, lastJoin, part, saySo } from '#test/joins.ts';
import { openOverdueTruck, OVERDUE, REGO, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { liveVehicle, recordHonestSet, visitsOf } from '#test/visits.ts';
import { listConflicts } from './queries.server.ts';

const VIN = '6T9CHEAT00000001';
const FRESH = 'FRESH1';

let truck: OverdueTruck;
let ruth: SignedIn;
beforeEach(async () => {
  truck = await openOverdueTruck();
  truck.services.setNow('2026-11-21T01:00:00Z');
  ruth = await addSeen(truck.services, 'admin', 'ruth@registry.example', 'Ruth');
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const register = (rego: string, more: Record<string, string> = {}) =>
  registerVehicle(truck.services, truck.admin, {
    input: vehicleInput({ rego, ...TRUCK, scale_serial_number: '', ...more }),
    choice: NO_FILES,
    key: undefined,
  });
const record = (rego: string, who = truck.tech) => recordHonestSet(truck.services, who, rego);
async function setVin(rego: string, vin = VIN): Promise<void> {
  const { version } = await liveVehicle(truck.services, rego);
  const more = rego === REGO ? {} : { scale_serial_number: '' };
  const input = vehicleInput({ rego, ...TRUCK, ...more, vin, version: String(version) });
  const answer = await updateVehicle(truck.services, truck.tech, { rego, input, choice: NO_FILES, key: undefined });
  expect(answer).toEqual({ updated: true });
}
/** Another truck with a visit that counts; both then have one VIN. */
async function freshLookAlike(): Promise<void> {
  await register(FRESH, { vin: '6T9LOOKALIKE001' });
  expect(await record(FRESH)).toMatchObject({ state: 'counts' });
  await setVin(FRESH);
  await setVin(REGO);
}
const fresh = { verdict: 'valid' };

const rowsOf = async (rego: string) => {
  const { id } = await liveVehicle(truck.services, rego);
  const { db } = truck.services;
  const { updatedAt: _, version: __, updatedBy: ___, ...vehicle } = await liveVehicle(truck.services, rego);
  const of = (table: 'calibration' | 'visit' | 'calibrationSet' | 'formerPlate' | 'vehicleFile') =>
    db.selectFrom(table).selectAll().where('vehicleId', '=', id).orderBy('id').execute();
  return [vehicle, await of('calibration'), await of('visit'), await of('calibrationSet'), await of('formerPlate')];
};

test('a dishonest admin joins an overdue truck with a fresh one: either way round a second admin must confirm it', async () => {
  await freshLookAlike();
  for (const [rego, kept] of [
    [FRESH, REGO],
    [REGO, FRESH],
  ] as const) {
    expect(await join(truck.services, truck.admin, { rego, kept })).toEqual({ joined: false, asked: true });
    expect(await decideLastJoin(truck.services, truck.admin, 'confirm')).toEqual({ decided: false, reason: 'own' });
    expect([await truck.read(), await truck.read(FRESH)]).toMatchObject([OVERDUE, fresh]);
    expect(await decideLastJoin(truck.services, ruth, 'decline')).toMatchObject({ decided: true });
  }
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  expect(await decideLastJoin(truck.services, ruth, 'confirm')).toEqual({ decided: true, rego: REGO });
  expect(await decideLastJoin(truck.services, ruth, 'confirm')).toEqual({ decided: false, reason: 'gone' });
  expect(await truck.read()).toMatchObject(fresh);
});

test('an account made a minute ago confirms nothing while another admin of 90 days could', async () => {
  await freshLookAlike();
  const input = adminInput('mia2@registry.example', { name: 'Second' });
  expect(await addAdmin(truck.services, truck.admin, { input, key: undefined })).toEqual({ added: true });
  const found = await findPersonByEmail(truck.services.db, input.email);
  if (found === undefined) throw new Error('not added');
  const { personId, account } = found;
  const minute = { ...account, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  expect(await decideLastJoin(truck.services, minute, 'confirm')).toEqual({ decided: false, reason: 'too-new' });
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a record without calibrations hides nothing, and is joined by one; undone, all rows are as they were', async () => {
  await setVin(REGO);
  await register(FRESH, { vin: VIN });
  await replateTo(truck.services, truck.admin, FRESH, { text: 'FRESH2' });
  const before = [await rowsOf(REGO), await rowsOf('FRESH2')];
  expect(await join(truck.services, truck.admin, { rego: 'FRESH2', kept: REGO })).toEqual({ joined: true, rego: REGO });
  expect(await truck.read()).toEqual(OVERDUE);
  // No further record of the closed one: neither restored, nor joined once more.
  const closed = await truck.services.db
    .selectFrom('vehicle')
    .selectAll()
    .where('rego', '=', 'FRESH2')
    .executeTakeFirstOrThrow();
  expect(await restoreVehicle(truck.services.db, truck.admin, { id: closed.id })).toMatchObject({ restored: false });
  expect(await record('FRESH2').catch((error: unknown) => String(error))).toContain('not there');
  expect(await part(truck.services, truck.admin)).toEqual({ parted: true, rego: REGO });
  expect([await rowsOf(REGO), await rowsOf('FRESH2')]).toEqual(before);
  expect(await part(truck.services, truck.admin)).toEqual({ parted: false, reason: 'gone' });
});

test('joined with the worse one: the truck is overdue under both plates, and its history is that of both', async () => {
  await freshLookAlike();
  await join(truck.services, truck.admin, { rego: REGO, kept: FRESH });
  await decideLastJoin(truck.services, ruth, 'confirm');
  const page = await vehiclePage(truck.services, FRESH, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  expect(page).toMatchObject({ page: { history: { total: 16 }, mismatches: [] } });
  expect((await visitsOf(truck.services, FRESH)).length).toBe(2);
  // What it is held against is what both read before.
  const light = { readings: { STEER: { empty_weight: '5940' } } };
  expect(await recordHonestSet(truck.services, truck.tech, FRESH, light)).toMatchObject({ state: 'waits' });
  expect(await part(truck.services, truck.admin)).toEqual({ parted: false, reason: 'recorded' });
});

test('joined and undone: the verdict of each is what it was, and after 30 days it stays joined', async () => {
  await freshLookAlike();
  const before = [await truck.read(), await truck.read(FRESH), await rowsOf(REGO), await rowsOf(FRESH)];
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  await decideLastJoin(truck.services, ruth, 'confirm');
  expect(await part(truck.services, truck.admin)).toEqual({ parted: true, rego: REGO });
  expect([await truck.read(), await truck.read(FRESH), await rowsOf(REGO), await rowsOf(FRESH)]).toEqual(before);
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  await decideLastJoin(truck.services, ruth, 'confirm');
  truck.services.setNow('2026-12-22T01:00:00Z');
  expect(await part(truck.services, truck.admin)).toEqual({ parted: false, reason: 'too-late' });
});

test('a visit that waits comes along and waits on; a truck to be weighed again is to be weighed again', async () => {
  await freshLookAlike();
  expect(await truck.record({ readings: { STEER: { empty_weight: '5940' } } })).toMatchObject({ state: 'waits' });
  expect(await join(truck.services, truck.admin, { rego: REGO, kept: FRESH })).toEqual({ joined: false, asked: true });
  await decideLastJoin(truck.services, ruth, 'confirm');
  expect((await visitsOf(truck.services, FRESH)).map(({ state }) => state)).toContain('waits');
});

test('technicians join nothing by hand, and no plate is taken: it leads to the kept record until somebody has it', async () => {
  await setVin(REGO);
  await register(FRESH, { vin: VIN });
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  const page = await vehiclePage(truck.services, FRESH, { asked: new URLSearchParams(), origin: '', who: null });
  expect(page.state).toBe('removed');
  // Its plate is asked for by another truck, which fails the check for 24 months.
  await register(FRESH, { vin: '6T9SOMEBODYELSE' });
  await record(FRESH);
  const [visit] = await visitsOf(truck.services, FRESH);
  expect(JSON.stringify(visit?.checks)).toContain('and plate, within the last 24 months');
  expect(await part(truck.services, truck.admin)).toEqual({ parted: false, reason: 'taken' });
});

test('a chain of joins: the middle is undone only after what came later', async () => {
  await setVin(REGO);
  for (const rego of ['CHAIN1', 'CHAIN2']) await register(rego, { vin: VIN });
  const before = [await rowsOf('CHAIN1'), await rowsOf('CHAIN2'), await rowsOf(REGO)];
  await join(truck.services, truck.admin, { rego: 'CHAIN1', kept: 'CHAIN2' });
  const first = await lastJoin(truck.services);
  truck.services.setNow('2026-11-21T02:00:00Z');
  await join(truck.services, truck.admin, { rego: 'CHAIN2', kept: REGO });
  expect(await part(truck.services, truck.admin, first)).toMatchObject({ parted: false });
  expect(await part(truck.services, truck.admin)).toEqual({ parted: true, rego: REGO });
  expect(await part(truck.services, truck.admin, first)).toEqual({ parted: true, rego: 'CHAIN2' });
  expect([await rowsOf('CHAIN1'), await rowsOf('CHAIN2'), await rowsOf(REGO)]).toEqual(before);
});

test('a join and a recording at one moment: the reading is in the kept record, or it is refused', async () => {
  await freshLookAlike();
  await join(truck.services, truck.admin, { rego: FRESH, kept: REGO });
  const [decided, recorded] = await Promise.allSettled([
    decideLastJoin(truck.services, ruth, 'confirm'),
    record(FRESH),
  ]);
  expect(decided.status).toBe('fulfilled');
  const isRecorded = recorded.status === 'fulfilled' && recorded.value.recorded;
  const { id } = await liveVehicle(truck.services, REGO);
  const { n } = await truck.services.db
    .selectFrom('calibration')
    .where('vehicleId', '=', id)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(Number(n)).toBe(isRecorded ? 24 : 16);
});

test('the office says that they are two trucks: nobody is asked again, and their visits count', async () => {
  await setVin(REGO);
  await register(FRESH, { vin: VIN });
  expect(await record(FRESH)).toMatchObject({ state: 'waits' });
  expect(await listConflicts(truck.services.db, 12)).toEqual([{ vin: VIN, isFull: true, regos: [REGO, FRESH] }]);
  expect(await saySo(truck.services, truck.admin, [REGO, FRESH])).toEqual({ told: true });
  expect(await listConflicts(truck.services.db, 12)).toEqual([]);
  truck.services.setNow('2026-11-22T01:00:00Z');
  expect(await record(FRESH)).toMatchObject({ state: 'counts' });
  // Another VIN is another question.
  await setVin(REGO, '6T9ANOTHER00001');
  await setVin(FRESH, '6T9ANOTHER00001');
  expect(await listConflicts(truck.services.db, 12)).toHaveLength(1);
});
