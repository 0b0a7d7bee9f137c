// Vehicles from a CSV file: what a preview says of each kind of line, and that an import does exactly that, once.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { exportLines } from '#app/vehicles/export-vehicles.server.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { addSignedIn } from '#test/people.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { noteText } from './import-answer.ts';
import { importBlock, leftOutVehicles, LINES_A_BLOCK, previewImport } from './import-block.server.ts';
import { readVehicles, type GivenVehicle, type ReadVehicles } from './read-vehicles.server.ts';

let services: TestServices;
let admin: SignedIn;
beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
});
afterEach(() => services.stop());

const register = (given: Record<string, string> & { rego: string }) =>
  registerVehicle(services, admin, { input: vehicleInput(given), choice: NO_FILES, key: undefined });

function tableOf(text: string): ReadVehicles & { ok: true } {
  const found = readVehicles(text);
  if (!found.ok) throw new Error(found.message);
  return found;
}
const read = (text: string): GivenVehicle[] => tableOf(text).vehicles;
const NONE: ReadonlySet<number> = new Set();
const messageOf = (text: string) => {
  const found = readVehicles(text);
  return found.ok ? 'read' : found.message;
};
async function importAll(text: string, taken = NONE) {
  const table = tableOf(text);
  const { vehicles } = table;
  const { seen, counts } = await previewImport(services, table);
  const done = { added: 0, updated: 0, left: [] as string[] };
  for (let from: number | null = 0; from !== null;) {
    const block = await importBlock(services, admin, { vehicles, seen, from, taken });
    if (block === undefined) throw new Error('the preview is of another file');
    done.added += block.added;
    done.updated += block.updated;
    done.left.push(...block.left.map(({ line, why }) => `${line}: ${why}`));
    from = block.next;
  }
  return { ...done, counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])) };
}

const FILE = [
  'rego,make,vin,axle_groups,next_calibration_due',
  'NEW1,Volvo,VINNEW1,,',
  'HERE2,Mack,,,',
  'SAME3,Volvo,,,',
  'new 1,Scania,,,',
  'HERE4,,VINHERE2,,',
  'HERE5,,,STEER,',
  'HERE6,,,,2030-01-01',
  'NEW7,,,,2030-01-01',
  'NOT%8,Volvo,,,',
  'HERE9,Volvo,%,,',
].join('\r\n');

async function fill(): Promise<void> {
  await register({ rego: 'HERE2', make: 'Volvo', vin: 'VINHERE2', notes: 'Kept.' });
  await register({ rego: 'SAME3', make: 'Volvo' });
  await register({ rego: 'HERE4' });
  await register({ rego: 'HERE5', axle_groups: 'STEER DRIVE' });
  await register({ rego: 'HERE6' });
  await register({ rego: 'HERE9' });
}

test('each kind of line is said before, done so, logged, and done once', async () => {
  await fill();
  const preview = await previewImport(services, tableOf(FILE));
  expect(
    preview.lines.map((line) => [
      line.line,
      line.kind,
      'note' in line ? noteText(line.note) : 'changes' in line ? line.changes : [],
    ]),
  ).toEqual([
    [5, 'conflicting', 'Line 2 names this truck already.'],
    [6, 'conflicting', 'vin: It is the VIN of HERE2.'],
    [7, 'conflicting', 'axle_groups: A group is taken away on the truck’s own page.'],
    [8, 'conflicting', expect.stringContaining('An import decides no verdict')],
    [9, 'conflicting', expect.stringContaining('An import decides no verdict')],
    [10, 'refused', expect.stringContaining('letters A to Z and digits')],
    [11, 'refused', 'vin: A VIN has at most 30 letters A to Z and digits.'],
    [2, 'new', []],
    [3, 'changed', ['Make: “Volvo” becomes “Mack”']],
  ]);
  const { counts, left, ...done } = await importAll(FILE);
  expect(done).toEqual({ added: 1, updated: 1 });
  expect(counts).toEqual({ new: 1, changed: 1, unchanged: 1, marked: 0, conflicting: 5, refused: 2 });
  expect(left.map((text) => text.split(':')[0])).toEqual(['5', '6', '7', '8', '9', '10', '11']);
  const { make, vin, notes } = await services.db
    .selectFrom('vehicle')
    .select(['make', 'vin', 'notes'])
    .where('rego', '=', 'HERE2')
    .executeTakeFirstOrThrow();
  expect([make, vin, notes]).toEqual(['Mack', 'VINHERE2', 'Kept.']);
  expect(await differencesFromLog(services.db)).toEqual([]);
  const logged = await services.db.selectFrom('activityLog').select('kind').orderBy('index', 'desc').limit(2).execute();
  expect(logged.map(({ kind }) => kind).toSorted()).toEqual(['vehicle.added', 'vehicle.updated']);

  const entries = async () => (await services.db.selectFrom('activityLog').select('kind').execute()).length;
  const before = await entries();
  expect(await importAll(FILE)).toMatchObject({ added: 0, updated: 0, counts: { new: 0, changed: 0, unchanged: 3 } });
  expect(await entries()).toBe(before);
});

test('what somebody changed since the preview is left alone', async () => {
  await fill();
  const vehicles = read(FILE);
  const { seen } = await previewImport(services, tableOf(FILE));
  await updateVehicle(services, admin, {
    rego: 'HERE2',
    input: vehicleInput({ rego: 'HERE2', make: 'Kenworth', version: '1' }),
    choice: NO_FILES,
    key: undefined,
  });
  await register({ rego: 'NEW1', make: 'Iveco' });
  const block = await importBlock(services, admin, { vehicles, seen, from: 0, taken: NONE });
  expect(block).toMatchObject({ added: 0, updated: 0 });
  expect(block?.left.slice(0, 2)).toEqual([
    { line: 2, rego: 'NEW1', why: 'Somebody changed it since the preview. Look at it again.' },
    { line: 3, rego: 'HERE2', why: 'Somebody changed it since the preview. Look at it again.' },
  ]);
  expect(
    await importBlock(services, admin, { vehicles: read('rego\nOTHER1\n'), seen, from: 0, taken: NONE }),
  ).toBeUndefined();
});

test('a list that begins without a group that its visits read is left out before, with the reason', async () => {
  const rego = 'UNLIST1';
  await register({ rego, vin: '6T9UNLIST' });
  await recordHonestSet(services, admin, rego, { axles: ['STEER', 'DRIVE'] });
  await services.db.updateTable('visit').set({ state: 'accepted' }).execute();
  const why = 'axle_groups: A group is taken away on the truck’s own page.';
  const { left, counts } = await importAll(`rego,axle_groups\n${rego},STEER`);
  expect([left, counts.conflicting]).toEqual([[`2: ${why}`], 1]);
  const both = await importAll(`rego,axle_groups\n${rego},STEER DRIVE`);
  expect(both).toMatchObject({ updated: 1, left: [] });
});

// Six hundred trucks, each registered by a write of its own.
test('an import that broke off goes on: what is done is as it is', { timeout: 120_000 }, async () => {
  const text = ['rego,make', ...Array.from({ length: LINES_A_BLOCK + 100 }, (_, n) => `BLK${n},Volvo`)].join('\n');
  const vehicles = read(text);
  const { seen } = await previewImport(services, tableOf(text));
  const block = { next: LINES_A_BLOCK, added: LINES_A_BLOCK, updated: 0, left: [] };
  const entries = async () => (await services.db.selectFrom('activityLog').select('kind').execute()).length;
  expect(await importBlock(services, admin, { vehicles, seen, from: 0, taken: NONE })).toEqual(block);
  const before = await entries();
  // Its answer was lost: sent again, it writes nothing and says the same.
  expect(await importBlock(services, admin, { vehicles, seen, from: 0, taken: NONE })).toEqual(block);
  expect(await entries()).toBe(before);
  expect(await importAll(text)).toMatchObject({ added: 100, updated: 0, left: [] });
});

test('the lines that are left out are a file, as they are there, each with its reason, which is read again', async () => {
  await fill();
  const text = [
    'rego;fitted_date;axle_groups;left_out_because',
    'NEW1;2026-03-10;;of last time',
    'NEW2;31/02/2026;;',
    '"NEW3";;STEER TRAILER;"a; b"',
  ].join('\n');
  const found = readVehicles(text);
  if (!found.ok) throw new Error(found.message);
  const csv = await leftOutVehicles(services, { ...found, taken: NONE });
  const choices = 'axle_groups: At most 8 of: STEER, DRIVE, TRAILERA, ';
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFrego,fitted_date,axle_groups,left_out_because',
    'NEW2,31/02/2026,,fitted_date: There is no such day. Day first: a date such as 2026-03-10 or 10/03/2026.',
    expect.stringMatching(new RegExp(`^NEW3,,STEER TRAILER,"${choices}.*REAR\\."$`)),
    '',
  ]);
  const again = csv.replace('31/02/2026', '2026-03-10').replace('STEER TRAILER', 'STEER');
  expect(await importAll(again)).toMatchObject({ added: 2, left: [] });
});

test('what was exported changes nothing', async () => {
  await fill();
  await register({ rego: 'ODD1', make: '=1+1', company_name: '"Quoted", Pty', notes: 'Two\nlines' });
  await services.db
    .updateTable('vehicle')
    .set({ calibrationValidated: true, nextCalibrationDueOn: '2027-01-01' })
    .where('rego', '=', 'HERE9')
    .execute();
  const context = { today: '2026-11-21', policy: FIRST_POLICY, origin: 'https://registry.example' };
  let text = '';
  for await (const lines of exportLines(services.db, parseListQuery(new URLSearchParams()), context)) text += lines;
  const { counts } = await importAll(text);
  expect(counts).toEqual({ new: 0, changed: 0, unchanged: 7, marked: 0, conflicting: 0, refused: 0 });
});

test('what is no list of vehicles is refused with a sentence', () => {
  expect(messageOf('')).toBe('Paste the lines of a table, or choose a file.');
  expect(messageOf('make\nVolvo')).toBe('The header needs the column “rego”.');
  expect(messageOf('rego,make,make\nA1,x,y')).toBe('The header has the column “make” twice.');
  expect(messageOf('rego')).toBe('Line 1: There is no line below the header.');
  expect(messageOf('rego\n"A1')).toContain('opens a quotation mark that nothing closes');
  expect(messageOf(`rego\n${'A'.repeat(10_000_000)}`)).toBe('Line 2: It is too long to be a line of a table.');
  expect(messageOf(`rego\n${'A1\n'.repeat(10_001)}`)).toContain('At most 10,000 lines at once.');
  expect(read('\uFEFFrego;make\r\n="007";Volvo\r\n')).toEqual([
    { line: 2, rego: '007', cells: { make: 'Volvo' }, kept: ['rego'] },
  ]);
  expect(read("rego\tmake\n\nA1\t'=1+1\n")).toEqual([{ line: 3, rego: 'A1', cells: { make: '=1+1' } }]);
});
