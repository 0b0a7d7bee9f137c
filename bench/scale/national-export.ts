// A generated registry as an export of the former database: people, trucks, and the visits from before the import. The same
// plan and day give the same bytes, so what is measured can be measured again.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import sharp from 'sharp';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { demoRandom, type DemoRandom } from '#database/demo/demo-random.ts';
import type { RegistryPlan } from './registry-plan.ts';
import { INTERVAL_DAYS, TECHNICIANS, truckAt, type GeneratedTruck, type GeneratedVisit } from './truck-history.ts';

export const ADMIN = 'admin0@registry.example';
const ADMINS = 2;
// Of the trucks of `histories`.
const PICTURED = 50;
const VIN_ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
const MAKES = [
  ['Kenworth', 'T610SAR', '6F5'],
  ['Volvo', 'FM 500', 'YV2'],
  ['Isuzu', 'FSR 140-260', 'JAL'],
  ['Scania', 'R 620', 'YS2'],
  ['Mack', 'Trident', '6U9'],
  ['Hino', '700 Series', 'JHD'],
  ['Mercedes-Benz', 'Actros 2663', 'WDB'],
  ['DAF', 'CF 530', 'XLR'],
] as const;
const PLACES = ['Campbellfield, Vic', 'Port Kembla, NSW', 'Toowoomba, Qld', 'Gepps Cross, SA', 'Karratha, WA'] as const;

/** Writes the export to `file`, dated around `today`, and the pictures that it names to `bucket`. Returns its size in bytes. */
export async function writeNationalExport(
  plan: RegistryPlan,
  { file, bucket, today }: { file: string; bucket: string; today: string },
): Promise<number> {
  const out = createWriteStream(file, { highWaterMark: 1 << 20 });
  let bytes = 0;
  const write = async (text: string) => {
    bytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  const people = (count: number, named: (index: number) => [string, Record<string, string>]) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => named(index))));
  await write(`{"Admins":${people(ADMINS, admin)},"Technicians":${people(TECHNICIANS, technician)},"Vehicles":{`);
  for (let index = 0; index < plan.vehicles; index += 1) {
    const truck = truckAt(plan, index, today);
    const isPictured = plan.kind === 'histories' && index % PICTURED === 0;
    if (isPictured) await writePicture(bucket, truck);
    const record = { ...vehicle(truck), ...(isPictured ? { imageUrls: [urlOf(pictureOf(truck))] } : {}) };
    await write(`${index === 0 ? '' : ','}"${truck.rego}":${JSON.stringify(record)}`);
  }
  await write('}}');
  out.end();
  await once(out, 'finish');
  return bytes;
}

/** The address of technician `index`, as the registry has it. */
export const emailOf = (index: number): string => `technician${index}@scales.example`;
export const nameOf = (index: number): string => `Technician ${index}`;

const keyOf = (email: string): string => email.replaceAll('.', ',');
const admin = (index: number): [string, Record<string, string>] => [
  keyOf(ADMIN.replace('0', String(index))),
  { name: `Admin ${index}`, email: ADMIN.replace('0', String(index)) },
];

function technician(index: number): [string, Record<string, string>] {
  return [
    keyOf(emailOf(index)),
    {
      company_name: `Scales ${index} Pty Ltd`,
      company_email: emailOf(index),
      abn: '58 751 985 169',
      licence_number: `SL${index}`,
      company_address: 'Campbellfield VIC 3061',
      rep_name: nameOf(index),
      rep_contact: '0491 570 158',
    },
  ];
}

function vehicle({ rego, visits }: GeneratedTruck): Record<string, unknown> {
  const random = demoRandom(`record of ${rego}`);
  const [make, model, maker] = random.pick(MAKES);
  const imported = visits.filter(({ isRecorded }) => !isRecorded);
  const [first] = visits;
  if (first === undefined) throw new Error('a truck has no visit');
  const last = imported.at(-1);
  return {
    rego,
    vin: vin(maker, random),
    // No two trucks have the same.
    scale_serial_number: `LC-40 ${rego}`,
    fitted_location: random.pick(PLACES),
    fitted_date: addDays(first.on, -1),
    warranty_expiry_date: addDays(first.on, 1095),
    company_name: `Carrier ${random.whole(1, 60_000)} Pty Ltd`,
    driver_name: '',
    notes: '',
    make,
    model,
    calibration_validated: random.whole(1, 20) > 1,
    certificate: '',
    added_at: addDays(first.on, -1),
    added_by: '',
    updated_at: (last ?? first).on,
    updated_by: nameOf((last ?? first).technician),
    next_calibration_due: last === undefined ? '' : addDays(last.on, INTERVAL_DAYS),
    calibrations: Object.fromEntries(imported.flatMap((visit) => entriesOf(visit, random))),
  };
}

function entriesOf(
  { on, at, technician: by, axles }: GeneratedVisit,
  random: DemoRandom,
): [number, Record<string, string>][] {
  let instant = at;
  return axles.flatMap(({ axle, four }) =>
    READING_FIELDS.map(({ field, label }): [number, Record<string, string>] => [
      (instant += random.whole(3000, 24_000)),
      {
        calibration_date_time: `${Number(on.slice(8))}/${on.slice(5, 7)}/${on.slice(0, 4)}, 11:24:45 am`,
        axle_type: axle,
        calibrating_technician: nameOf(by),
        calibration_due_date: addDays(on, INTERVAL_DAYS),
        calibration_attribute: label,
        calibration_value: four[field],
      },
    ]),
  );
}

const pictureOf = ({ rego }: GeneratedTruck): string => `vehicles/${rego}/scale.jpg`;
const urlOf = (name: string): string => `https://storage.example/v0/b/registry/o/${encodeURIComponent(name)}?alt=media`;

// Noise of the truck's own, scaled up: some 100 kB, as of a telephone that saves space.
async function writePicture(bucket: string, truck: GeneratedTruck): Promise<void> {
  const file = path.join(bucket, pictureOf(truck));
  const random = demoRandom(file.slice(bucket.length));
  const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, () => random.whole(0, 255)));
  const picture = sharp(noise, { raw: { width: 64, height: 48, channels: 3 } }).resize(1280, 960);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await picture.jpeg().toBuffer());
}

function vin(maker: string, random: DemoRandom): string {
  let text: string = maker;
  for (let at = 0; at < 8; at += 1) text += VIN_ALPHABET[random.whole(0, VIN_ALPHABET.length - 1)] ?? '';
  return `${text}${String(random.whole(0, 999_999)).padStart(6, '0')}`;
}
