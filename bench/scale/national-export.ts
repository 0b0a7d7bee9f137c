// A registry of Australia's size as an export of the former database: `vehicles` trucks with four entries each, of one
// axle and visit. The same number gives the same bytes, so what is measured can be measured again.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { addDays } from '#app/platform/time/calendar.ts';
import { demoRandom, type DemoRandom } from '#database/demo/demo-random.ts';

export const TECHNICIANS = 400;
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
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
const ATTRIBUTES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;
const INTERVAL_DAYS = 182;
const MS_PER_DAY = 86_400_000;

/** The rego of truck `index`: six characters, spread over all prefixes, each once below 24^4 × 100. */
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

/** Writes the export to `file`, dated around `today`. Returns its size in bytes. */
export async function writeNationalExport(file: string, vehicles: number, today: string): Promise<number> {
  const out = createWriteStream(file, { highWaterMark: 1 << 20 });
  const random = demoRandom(`national ${vehicles}`);
  let bytes = 0;
  const write = async (text: string) => {
    bytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  await write('{"Technicians":{');
  for (let index = 0; index < TECHNICIANS; index += 1)
    await write(`${index === 0 ? '' : ','}${JSON.stringify(emailKey(index))}:${JSON.stringify(technician(index))}`);
  await write('},"Vehicles":{');
  for (let index = 0; index < vehicles; index += 1) {
    const rego = regoAt(index);
    await write(`${index === 0 ? '' : ','}"${rego}":${JSON.stringify(vehicle(rego, random, today))}`);
  }
  await write('}}');
  out.end();
  await once(out, 'finish');
  return bytes;
}

const nameOf = (index: number) => `Technician ${index}`;
const emailKey = (index: number) => `technician${index}@scales,example`;

function technician(index: number): Record<string, string> {
  return {
    company_name: `Scales ${index} Pty Ltd`,
    company_email: `technician${index}@scales.example`,
    abn: '58 751 985 169',
    licence_number: `SL${index}`,
    company_address: 'Campbellfield VIC 3061',
    rep_name: nameOf(index),
    rep_contact: '0491 570 158',
  };
}

function vehicle(rego: string, random: DemoRandom, today: string): Record<string, unknown> {
  const [make, model, maker] = random.pick(MAKES);
  const due = addDays(today, random.whole(-60, 181));
  const visited = addDays(due, -INTERVAL_DAYS);
  const technicianName = nameOf(random.whole(0, TECHNICIANS - 1));
  const weights = [
    random.whole(40, 80) / 100,
    random.whole(220, 300) / 100,
    random.whole(180, 250) * 20,
    random.whole(700, 950) * 20,
  ];
  let instant = Date.parse(`${visited}T00:00:00Z`) + random.whole(0, MS_PER_DAY / 4);
  const calibrations: Record<string, unknown> = {};
  for (const [index, attribute] of ATTRIBUTES.entries()) {
    instant += random.whole(3000, 24_000);
    calibrations[instant] = {
      calibration_date_time: `${Number(visited.slice(8))}/${visited.slice(5, 7)}/${visited.slice(0, 4)}, 11:24:45 am`,
      axle_type: 'DRIVE',
      calibrating_technician: technicianName,
      calibration_due_date: due,
      calibration_attribute: attribute,
      calibration_value: index < 2 ? (weights[index] ?? 0).toFixed(2) : String(weights[index]),
    };
  }
  return {
    rego,
    vin: vin(maker, random),
    scale_serial_number: `LC-40 ${random.whole(100_000, 999_999)}`,
    fitted_location: random.pick(PLACES),
    fitted_date: addDays(visited, -1),
    warranty_expiry_date: addDays(visited, 1095),
    company_name: `Carrier ${random.whole(1, 60_000)} Pty Ltd`,
    driver_name: '',
    notes: '',
    make,
    model,
    calibration_validated: random.whole(1, 20) > 1,
    certificate: '',
    added_at: addDays(visited, -1),
    added_by: '',
    updated_at: visited,
    updated_by: technicianName,
    next_calibration_due: due,
    calibrations,
  };
}

function vin(maker: string, random: DemoRandom): string {
  let text: string = maker;
  for (let at = 0; at < 8; at += 1) text += VIN_ALPHABET[random.whole(0, VIN_ALPHABET.length - 1)] ?? '';
  return `${text}${String(random.whole(0, 999_999)).padStart(6, '0')}`;
}
