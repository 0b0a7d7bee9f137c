// A generated registry: trucks with 16 to 320 readings (43 on average) and a few with 1,280, in visits of sixteen. The
// same index and day give the same truck, so that checkouts are measured on the same records. It is imported, by the
// oldest of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FourReadings } from '#app/readings/calibration-line.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { USUAL_AXLES, type Axle } from '#app/vehicles/axle.ts';
import { demoRandom, type DemoRandom } from '#commands/demo/random.ts';
import { drawLine, rangesOf } from '#commands/demo/readings.ts';

export const ZONE = 'Australia/Sydney';
export const INTERVAL_DAYS = 182;
export const READINGS_A_VISIT = 16;
const TECHNICIANS = 400;
const MS_PER_DAY = 86_400_000;
// The visits of a truck that was calibrated more often than twice a year lie in so many days.
const OLDEST_DAYS = 4380;
// A block of the import is 250 trucks, and the heap that the command is given holds few long histories.
const IMPORT_HEAP = '--max-old-space-size=2048';
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const VIN_ALPHABET = `${LETTERS.replace('Q', '')}0123456789`;
// Of a thousand trucks.
const SHARES = [
  [16, 600],
  [32, 200],
  [64, 100],
  [128, 60],
  [320, 38],
  [1280, 2],
] as const;
const OF_A_THOUSAND = SHARES.flatMap(([readings, share]) => Array<number>(share).fill(readings));
// Shares no factor with 1,000: any thousand trucks in a row have these shares.
const STEP = 7919;

/** How many readings truck `index` has. */
export const readingsOf = (index: number): number => OF_A_THOUSAND[(index * STEP) % 1000] ?? READINGS_A_VISIT;

/** The rego of truck `index`: six characters, spread over all prefixes, each once below 24^4 × 100. Without I and O. */
export function regoAt(index: number): string {
  // A step that shares no factor with the count walks through all of them.
  let place = (index * 7_368_787) % (24 ** 4 * 100);
  const digits = String(place % 100).padStart(2, '0');
  place = Math.floor(place / 100);
  let letters = '';
  for (let at = 0; at < 4; at += 1) {
    letters += LETTERS[place % 24] ?? '';
    place = Math.floor(place / 24);
  }
  return `${letters.slice(0, 2)}${digits}${letters.slice(2)}`;
}

export const vinAt = (index: number): string => `6T9${demoRandom(`VIN of ${index}`).text(14, VIN_ALPHABET)}`;

/** The fields of the form of a further visit, with all sixteen readings, on the truck's own lines. */
export function visitForm(index: number, visit: string): [string, string][] {
  const random = demoRandom(`visit ${visit} of ${regoAt(index)}`);
  const today = todayIn(ZONE);
  return [
    ['confirmed', 'yes'],
    ['rego', regoAt(index)],
    ['vin', vinAt(index)],
    ['visit_date', addDays(today, -1)],
    ['visit_time', `${String(random.whole(7, 17)).padStart(2, '0')}:${String(random.whole(10, 59))}`],
    ['due_date', addDays(today, INTERVAL_DAYS - random.whole(2, 60))],
    ...USUAL_AXLES.flatMap((axle): [string, string][] => {
      const four = readOn(index, axle, random);
      return [
        ['axle', axle],
        ...READING_FIELDS.map(({ field }): [string, string] => [`${axle}_${field}`, four[field]]),
      ];
    }),
  ];
}

// Weights as a weighbridge prints them, and volts with four decimals: with three, some visits of a large registry would
// be equal to the digit, which is what a copy looks like.
function readOn(index: number, axle: Axle, random: DemoRandom): FourReadings {
  const { slope, offset } = drawLine(axle, demoRandom(`${axle} of ${regoAt(index)}`));
  const { empty, loaded } = rangesOf(axle);
  const drifted = slope * random.between(0.997, 1.003);
  const round = (kg: number) => Math.round(kg / 20) * 20;
  const light = round((empty[0] + empty[1]) / 2 + random.between(-200, 200));
  const heavy = round(random.between(...loaded));
  const volts = (kg: number) => ((kg - offset) / drifted).toFixed(4);
  return {
    empty_volt: volts(light),
    empty_weight: String(light),
    loaded_volt: volts(heavy),
    loaded_weight: String(heavy),
  };
}

/** Makes the registry of so many trucks in `dataDir`, by the import of `checkout`. */
export async function importGenerated(dataDir: string, vehicles: number, checkout: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // PostgreSQL runs as another user where we are root.
  await chmod(dataDir, 0o755);
  const file = path.join(dataDir, 'export.json');
  await writeExport(file, vehicles);
  const child = spawn(process.execPath, [IMPORT_HEAP, 'commands/import.ts', file, '--trial'], {
    cwd: checkout,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
  await rm(file);
}

async function writeExport(file: string, vehicles: number): Promise<void> {
  const today = todayIn(ZONE);
  const out = createWriteStream(file, { highWaterMark: 1 << 20 });
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  const people = (count: number, named: (nth: number) => [string, Record<string, string>]) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => named(nth))));
  await write(`{"Admins":${people(2, admin)},"Technicians":${people(TECHNICIANS, technician)},"Vehicles":{`);
  for (let index = 0; index < vehicles; index += 1)
    await write(`${index === 0 ? '' : ','}"${regoAt(index)}":${JSON.stringify(vehicle(index, today))}`);
  await write('}}');
  out.end();
  await once(out, 'finish');
}

const admin = (nth: number): [string, Record<string, string>] => [
  `admin${nth}@registry,example`,
  { name: `Admin ${nth}`, email: `admin${nth}@registry.example` },
];

const technician = (nth: number): [string, Record<string, string>] => [
  `technician${nth}@scales,example`,
  {
    company_name: `Scales ${nth} Pty Ltd`,
    company_email: `technician${nth}@scales.example`,
    abn: '58 751 985 169',
    licence_number: `SL${nth}`,
    company_address: 'Campbellfield VIC 3061',
    rep_name: `Technician ${nth}`,
    rep_contact: '0491 570 158',
  },
];

function vehicle(index: number, today: string): Record<string, unknown> {
  const rego = regoAt(index);
  const random = demoRandom(`history of ${rego}`);
  const usual = random.whole(0, TECHNICIANS - 1);
  const days = daysOf(readingsOf(index) / READINGS_A_VISIT, today, random);
  const [first = today, last = today] = [days[0], days.at(-1)];
  return {
    rego,
    vin: vinAt(index),
    scale_serial_number: `LC-40 ${rego}`,
    fitted_location: 'Campbellfield, Vic',
    fitted_date: addDays(first, -1),
    warranty_expiry_date: addDays(first, 1095),
    company_name: `Carrier ${random.whole(1, 60_000)} Pty Ltd`,
    make: random.pick(['Kenworth', 'Volvo', 'Isuzu', 'Scania', 'Mack', 'Hino']),
    model: `Model ${random.whole(1, 90)}`,
    calibration_validated: random.whole(1, 20) > 1,
    added_at: addDays(first, -1),
    updated_at: last,
    updated_by: `Technician ${usual}`,
    next_calibration_due: addDays(last, INTERVAL_DAYS),
    calibrations: Object.fromEntries(days.flatMap((on) => entriesOf(index, on, usual, random))),
  };
}

// Twice a year, the last in the half year before, but for some that are overdue.
function daysOf(count: number, today: string, random: DemoRandom): string[] {
  const interval = Math.min(INTERVAL_DAYS, Math.floor(OLDEST_DAYS / count));
  let day = addDays(today, random.whole(-60, 170) - INTERVAL_DAYS);
  const days = [day];
  while (days.length < count) days.unshift((day = addDays(day, random.whole(-7, 7) - interval)));
  return days;
}

function entriesOf(index: number, on: string, by: number, random: DemoRandom): [number, Record<string, string>][] {
  let instant = Date.parse(`${on}T00:00:00Z`) + random.whole(0, MS_PER_DAY / 4);
  return USUAL_AXLES.flatMap((axle) => {
    const four = readOn(index, axle, random);
    return READING_FIELDS.map(({ field, label }): [number, Record<string, string>] => [
      (instant += random.whole(3000, 24_000)),
      {
        calibration_date_time: `${Number(on.slice(8))}/${on.slice(5, 7)}/${on.slice(0, 4)}, 11:24:45 am`,
        axle_type: axle,
        calibrating_technician: `Technician ${by}`,
        calibration_due_date: addDays(on, INTERVAL_DAYS),
        calibration_attribute: label,
        calibration_value: four[field],
      },
    ]);
  });
}
