// Trucks with trailers: an A-double and a rigid with a dog, each unit with its own record, weighed together; and a
// truck whose own unit reads its trailer.
import { randomUUID } from 'node:crypto';
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import type { SetAxle } from '#app/readings/set-grid.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { axleGroupsText, isAxle } from '#app/vehicles/axle.ts';
import { changePlate } from '#app/vehicles/change-plate.server.ts';
import { plateSchema } from '#app/vehicles/plate-entry.ts';
import { detailsIn, type Details } from '#app/vehicles/group-details.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { vehicleSchema } from '#app/vehicles/vehicle-entry.ts';
import { MIA, NGUYEN } from './people.ts';
import { demoRandom, type DemoRandom } from './random.ts';
import { drawLine, INTERVAL_DAYS, inSteps, rangesOf, voltsAt } from './readings.ts';
import { NOTHING_ELSE, shown, signedIn, type Demo, type Register } from './record.ts';
import { tableOf, type Row } from './table.ts';

const DAY_MS = 24 * 3_600_000;

export async function addCombinations(demo: Demo, register: Register): Promise<void> {
  const rows = tableOf('combinations');
  for (const { rego = '', kind = '', make = '', model = '', vin = '', groups = '', ...row } of rows) {
    const axle_groups = axleGroupsText(axlesOf({ ...row, groups }));
    const texts = { rego, kind, make, model, vin, group_details: groups, axle_groups };
    await addVehicle(demo, { ...texts, calibration_validated: 'yes' });
  }
  const [bridge] = register.values();
  for (const row of rows.filter(({ kind }) => kind === '')) await weigh(demo, row, { rows, bridge });
}

/** One text in two states, a VIN on two records, and a changed plate. */
export async function addPlates(demo: Demo): Promise<void> {
  for (const row of tableOf('added later')) await addVehicle(demo, row);
  for (const { rego = '', to: text = '', state, daysAgo, why } of tableOf('plates')) {
    const today = todayIn(demo.config.timeZone, demo.now());
    const asked = { rego: text, plate_state: state, from: addDays(today, -Number(daysAgo)), why };
    const { from: fromOn, ...typed } = plateSchema.parse(asked);
    const input = { text: typed.rego, state: typed.plate_state, fromOn, why: typed.why, opened: rego };
    const answer = await changePlate(demo, await signedIn(demo, MIA), { rego, input, key: randomUUID() });
    if (!answer.changed) throw new Error(`the demo's plate ${text} was refused`);
  }
}

async function addVehicle(demo: Demo, texts: Row): Promise<void> {
  const input = vehicleSchema.parse(texts);
  const choice = { certificate: '', removeCertificate: false, newImages: [], removedImages: [], order: new Map() };
  const mia = await signedIn(demo, MIA);
  const added = await registerVehicle(demo, mia, { input, choice, key: randomUUID() });
  if (!added.registered) throw new Error(`the demo's ${input.rego} was refused: ${added.reason}`);
}

async function weigh(
  demo: Demo,
  truck: Row,
  { rows, bridge }: { rows: readonly Row[]; bridge: { id: string; line: string } | undefined },
): Promise<void> {
  const { rego = '', vin = '', with: others = '', trailers = '' } = truck;
  const behind = rows.filter((row) => others.split(' ').includes(row.rego ?? ''));
  const at = new Date(demo.now().getTime() - DAY_MS);
  const read = await recordCalibrationSet({ ...demo, now: () => at }, await signedIn(demo, NGUYEN), {
    rego,
    photos: [],
    key: randomUUID(),
    input: {
      ...NO_FACTS,
      vin,
      axles: readAll(truck),
      notes: '',
      visitedAt: at,
      ticket_number: `${rego}-1`,
      weighbridge: bridge?.line ?? '',
      reference_id: bridge?.id ?? '',
      due_date: addDays(todayIn(demo.config.timeZone, at), INTERVAL_DAYS),
      trailers: [trailers, ...behind.map((one) => `own ${one.rego}`)].filter(Boolean).join('; '),
      units: behind.map((row) => ({ rego: row.rego ?? '', vin: row.vin ?? '', axles: readAll(row), details: {} })),
    },
  });
  if (!read.recorded) throw new Error(`the demo's visit of ${rego} was refused: ${read.reason}`);
}

const detailsOf = ({ groups = '' }: Row): Details => detailsIn(groups);
const axlesOf = (row: Row) => Object.keys(detailsOf(row)).filter(isAxle);

function readAll(row: Row): SetAxle[] {
  const random: DemoRandom = demoRandom(`combination ${row.rego}`);
  return axlesOf(row).map((axle) => {
    const line = drawLine(axle, random);
    const { empty, loaded } = rangesOf(axle);
    const [light, heavy] = [inSteps(random.between(...empty)), inSteps(random.between(...loaded))];
    const volts = { emptyVolt: voltsAt(line, light), loadedVolt: voltsAt(line, heavy) };
    return { axle, readings: shown({ ...volts, emptyWeight: light, loadedWeight: heavy }), extras: NOTHING_ELSE };
  });
}
