// Ways in which a technician makes an overdue truck look good by the figures that they type, or by another VIN: lines
// that nobody weighed, copies, and words in place of a comparison. After none of them does the public read anything
// better. The others are in ways-to-cheat.slow.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { openOverdueTruck, OVERDUE, REGO, TODAY, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { enforce } from '#test/policy.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestReadings, honestSet, liveVehicle, recordHonestSet, visitsOf, type SetChange } from '#test/visits.ts';
import { previewTyped } from '#app/recording/preview-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { readSet } from '#app/recording/set-entry.ts';
import { heldBackBy } from './visit-checks.ts';
import { outcomeOf } from './visit-outcome.ts';
import { checksOf } from './visit-queries.server.ts';

const JUNK = { empty_volt: '0.1', empty_weight: '100', loaded_volt: '0.2', loaded_weight: '200' };

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const AXLES = new Map([['axle', ['STEER', 'DRIVE']]]);

/** The form of a set as it is sent. */
function fieldsOf(change: Record<string, string>) {
  const { axles } = honestSet('', 'STEER DRIVE', truck.services.now());
  const cells = axles.flatMap(({ axle, readings }) =>
    READING_FIELDS.map(({ field }) => [`${axle}_${field}`, readings[field]] as const),
  );
  const visit = { confirmed: 'yes', vin: TRUCK.vin, visit_date: TODAY, visit_time: '09:30' };
  return new Map(Object.entries({ ...visit, ...Object.fromEntries(cells), ...change }));
}

const formOf = (change: Record<string, string>) =>
  readSet(fieldsOf(change), AXLES, {
    zone: truck.services.config.timeZone,
    now: truck.services.now(),
    longestIntervalDays: 366,
  });

/** Why the newest visit does not count. */
async function whyHeld(): Promise<string> {
  const { checks } = (await visitsOf(truck.services, REGO)).at(-1) ?? { checks: null };
  const held = heldBackBy(checksOf(checks));
  return checksOf(checks)
    .filter(({ check }) => held.includes(check))
    .map(({ check, sentence }) => `${check}: ${sentence}`)
    .join(' ');
}

const changeVin = async (vin: string, who = truck.tech, reason = '') => {
  const { version } = await liveVehicle(truck.services, REGO);
  const form = vehicleInput({
    rego: REGO,
    ...TRUCK,
    next_calibration_due: OVERDUE.dueOn,
    vin,
    reason,
    version: String(version),
  });
  expect(
    await updateVehicle(truck.services, who, { rego: REGO, input: form, choice: NO_FILES, key: undefined }),
  ).toEqual({ updated: true });
};

// The truck's own line, 300 kg beside the others': 4,240 kg at 0.84 V, and so on.
const OWN = { STEER: honestReadings('STEER', 300), DRIVE: honestReadings('DRIVE', 300) };
const BOTH_REPLACED = { STEER: 'sensor_replaced', DRIVE: 'sensor_replaced' } as const;

const WAYS: [string, SetChange, RegExp][] = [
  [
    '‘sensor replaced’ on each axle group, with junk',
    { begins: BOTH_REPLACED, readings: { STEER: JUNK, DRIVE: JUNK } },
    /^plausible: .* agrees: Steer: the technician says that the sensor was replaced\. Drive: the technician says/,
  ],
  [
    '‘sensor replaced’ on each axle group, with the first lines of another unit',
    { begins: BOTH_REPLACED, readings: { STEER: { loaded_volt: '1.60' }, DRIVE: { loaded_volt: '2.60' } } },
    /^agrees: Steer: the technician says that the sensor was replaced\. Drive: the technician says/,
  ],
  [
    '‘sensor replaced’ on one axle group, with junk',
    { begins: { DRIVE: 'sensor_replaced' }, readings: { DRIVE: JUNK } },
    /^plausible: .* agrees: Drive: the technician says that the sensor was replaced\. 1 of 2 axles agree/,
  ],
  [
    'as-found readings that are the old figures, and a line that is 1.5 t off',
    {
      readings: { ...OWN, DRIVE: { ...OWN.DRIVE, loaded_weight: '14440' } },
      extras: { as_found_empty: OWN.DRIVE.empty_weight, as_found_loaded: OWN.DRIVE.loaded_weight },
    },
    /^agrees: Drive: the scale was 1,500\u00a0kg out when found, and was adjusted\. .* explain up to 1,000\u00a0kg\./,
  ],
  [
    'twice the slope through the empty point',
    { readings: { ...OWN, DRIVE: { ...OWN.DRIVE, loaded_volt: '2.05' } } },
    /^agrees: Drive differs by/,
  ],
  [
    'twice the slope through the point of the reference mass',
    { readings: { ...OWN, DRIVE: { ...OWN.DRIVE, empty_volt: '2.05' } } },
    /^agrees: Drive differs by .* at 5,080\u00a0kg/,
  ],
  [
    'both points within 0.2 V of empty',
    { readings: { DRIVE: { empty_volt: '0.92', empty_weight: '5080', loaded_volt: '1.10', loaded_weight: '5944' } } },
    /^plausible: Drive: the empty weight, .* are too near/,
  ],
  [
    'a tiny span',
    { readings: { DRIVE: { empty_volt: '0.92', empty_weight: '5080', loaded_volt: '0.97', loaded_weight: '9500' } } },
    /^plausible: Drive: 0\.92 and 0\.97\u00a0V are less than ten steps/,
  ],
  [
    'an empty truck that weighs 900 kg less',
    { readings: { STEER: { empty_volt: '0.55', empty_weight: '3330' } } },
    /^plausible: Steer: the empty weight, 3,330\u00a0kg, was 4,240\u00a0kg on 10 January 2026/,
  ],
  [
    'a steer axle of 700 kg',
    { readings: { STEER: { empty_weight: '700' } } },
    /^plausible: Steer: 700\u00a0kg is less than it can weigh empty/,
  ],
];

test.each(WAYS)('%s: it waits', async (_way, change, why) => {
  expect(await truck.record(change)).toMatchObject({ state: 'waits' });
  expect(await whyHeld()).toMatch(why);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('each reading within a step of another truck’s last visit: it waits, and by a step more it counts', async () => {
  await truck.register('OTHER1', { vin: '6T9OTHER', scale_serial_number: 'S2' });
  await recordHonestSet(truck.services, truck.tech, 'OTHER1', { nudge: 250 });
  const moved = (kg: number) => ({
    STEER: {
      empty_volt: '0.85',
      empty_weight: String(4190 + kg),
      loaded_volt: '1.45',
      loaded_weight: String(6130 - kg),
    },
    DRIVE: {
      empty_volt: '0.91',
      empty_weight: String(5030 - kg),
      loaded_volt: '3.19',
      loaded_weight: String(15890 + kg),
    },
  });
  expect(await truck.record({ readings: moved(20) })).toMatchObject({ state: 'waits' });
  expect(await whyHeld()).toBe(
    'plausible: A visit of another truck has the same readings, each within 0.01\u00a0V and 20\u00a0kg.',
  );
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await truck.record({ readings: moved(41) })).toMatchObject({ state: 'counts' });
});

test('a line that agrees with one’s own visit, which waits', async () => {
  const other = (kg: number) => ({ DRIVE: { ...OWN.DRIVE, loaded_volt: '2.60', loaded_weight: String(15940 + kg) } });
  for (const kg of [0, 100]) {
    expect(await truck.record({ readings: other(kg) })).toMatchObject({ state: 'waits' });
    expect(await whyHeld()).toMatch(/^agrees: Drive differs by .* from 10 January 2026/);
  }
  expect(await truck.read()).toEqual(OVERDUE);
});

test('the truck’s own last visit, each reading moved by a step or 9 kg: a stable truck repeats itself', async () => {
  const moved = {
    STEER: { empty_volt: '0.85', empty_weight: '4249', loaded_volt: '1.45', loaded_weight: '6171' },
    DRIVE: { empty_volt: '0.93', empty_weight: '5071', loaded_volt: '3.17', loaded_weight: '15949' },
  };
  expect(await truck.record({ readings: moved })).toMatchObject({ state: 'counts' });
});

test('the VIN changed before, and a visit that is dated before the last one', async () => {
  await changeVin('6T9ANOTHER');
  expect(await truck.record()).toMatchObject({ state: 'waits' });
  expect(await whyHeld()).toBe('truck: The VIN is not that of the last visit that counts.');
  await enforce(truck.services.db, { checks: { prompt: 'noted' } });
  expect(await truck.record({ visitedAt: new Date('2026-01-09T01:00:00Z'), due_date: '2026-12-01' })).toMatchObject({
    state: 'waits',
  });
  expect(await whyHeld()).toBe('truck: The VIN is not that of the last visit that counts.');
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a VIN that an admin corrects with the reason ‘typed wrong’ is no change, a technician’s words are none', async () => {
  await changeVin('6T9CHEAP', truck.tech, 'typed wrong');
  expect(await truck.record()).toMatchObject({ state: 'waits' });
  await changeVin(TRUCK.vin);
  await changeVin('6T9CHEAP', truck.admin, 'Typed wrong at the counter');
  expect(await truck.record()).toMatchObject({ state: 'counts' });
});

test('a correction is judged by the VIN of then, and a VIN filled in where there was none is no change', async () => {
  await truck.record();
  await changeVin('');
  await changeVin('6T9ANOTHER');
  await truck.correct({});
  expect(await truck.states()).toEqual(['counts', 'counts']);
});

test('what the form says before is what is said after', async () => {
  for (const change of [
    { DRIVE_sensor_replaced: 'yes' },
    { STEER_empty_volt: '0.55', STEER_empty_weight: '3330', STEER_loaded_weight: '3400' },
    { DRIVE_loaded_volt: '2.05', DRIVE_as_found_empty: '5080', DRIVE_as_found_loaded: '10500' },
  ]) {
    const fields = fieldsOf({ ...change, due_date: addDays(TODAY, 182) });
    const { read, preview } = await previewTyped(truck.services, truck.tech, { rego: REGO, fields, all: AXLES });
    const confirmed = formOf({ ...Object.fromEntries(fields), all_the_same: read.codes });
    if (confirmed.input === undefined) throw new Error(JSON.stringify(confirmed.errors));
    await recordCalibrationSet(truck.services, truck.tech, {
      rego: REGO,
      input: confirmed.input,
      photos: [],
      key: undefined,
    });
    const [visit] = (await visitsOf(truck.services, REGO)).slice(-1);
    expect(preview?.state).toBe('waits');
    expect(preview).toMatchObject(
      outcomeOf({ state: 'waits', dueOn: visit?.dueOn ?? null, checks: checksOf(visit?.checks) }),
    );
  }
});
