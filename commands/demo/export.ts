// The demo registry, as an export of the former database that the importer reads. The same day gives the same export.
// The folder bucket/ has the files of the former file storage.
import { addDays } from '#app/platform/time/calendar.ts';
import { DEMO_ADMINS, demoActivityLogs, demoAdmins, demoApplications, demoTechnicians } from './people.ts';
import { demoRandom, type DemoRandom } from './random.ts';
import { demoCalibrations } from './readings.ts';
import { type Row, tableOf } from './table.ts';

const VIN_ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
const DRIVERS =
  'Karen Doyle,Mick Farrugia,Wei Zhang,Aroha Ngata,Steve Pappas,Joanne Reid,Hassan Ali,Colin Birrell,'.split(',');

// One file that it names, the certificate of CJ40PL, is missing from the bucket on purpose, as happens in real exports.
/** With dates around `today`, a day of Australia/Sydney. `more`: what the demo adds. */
export function demoExport(today: string, more: Partial<Record<'technicians' | 'trucks', Row[]>> = {}): unknown {
  const trucks = [...tableOf('trucks'), ...(more.trucks ?? [])];
  return {
    ActivityLogs: demoActivityLogs(today),
    Admins: demoAdmins(today),
    Applications: demoApplications(today),
    Technicians: demoTechnicians(today, more.technicians ?? []),
    Vehicles: Object.fromEntries(trucks.map((truck) => [truck.rego, exportVehicle(truck, today)])),
  };
}

function exportVehicle(truck: Row, today: string): Record<string, unknown> {
  const { rego = '', marks = '', fittedIn = '', warrantyIn = '', images = '' } = truck;
  const dueIn = Number(truck.dueIn);
  const random = demoRandom(rego);
  const { calibrations, firstDay } = demoCalibrations(truck, today, random);
  const isCalibrated = firstDay !== undefined;
  // What is left empty is drawn, a dash is nothing.
  const given = (text: string | undefined, drawn: () => string) => (text === '-' ? '' : text || drawn());
  const fittedOn =
    fittedIn === '' ? addDays(firstDay ?? addDays(today, -9), -random.whole(0, 3)) : addDays(today, Number(fittedIn));
  const warrantyOn = warrantyIn === '' ? addDays(fittedOn, 3 * 365) : addDays(today, Number(warrantyIn) || 0);
  const updated = { updated_at: addDays(today, dueIn - 181), updated_by: random.pick(DEMO_ADMINS.slice(0, 2)) };
  return {
    rego,
    make: truck.make,
    model: truck.model,
    vin: given(truck.vin, () => drawVin(random)),
    scale_serial_number: given(truck.serial, () => drawSerial(random)),
    fitted_location: truck.place,
    fitted_date: truck.serial === '-' ? '' : fittedOn,
    warranty_expiry_date: warrantyIn === '-' ? '' : warrantyOn,
    company_name: truck.company,
    driver_name: given(truck.driver, () => random.pick(DRIVERS)),
    notes: truck.notes ?? '',
    calibration_validated: marks.includes('validated') || (isCalibrated && !marks.includes('waits')),
    certificate: marks.includes('certificate') ? storageUrl(`certificates/${rego}/certificate.pdf`) : '',
    ...(images !== '' && { imageUrls: images.split(', ').map((it) => storageUrl(`vehicles/${rego}/${it}.png`)) }),
    added_at: addDays(fittedOn, -1),
    added_by: DEMO_ADMINS[0],
    ...(isCalibrated && { ...updated, calibrations }),
    ...(isCalibrated && !marks.includes('dateless') && { next_calibration_due: addDays(today, dueIn) }),
  };
}

const drawVin = (random: DemoRandom): string =>
  `6T9${random.text(6, VIN_ALPHABET)}${random.text(2, 'KLMNPRST')}${random.text(6, '0123456789')}`;

const drawSerial = (random: DemoRandom): string =>
  random.whole(0, 1) === 0
    ? `LC-40 ${random.whole(210_000, 225_999)}`
    : `BW-2 ${String(random.whole(200, 1400)).padStart(5, '0')}`;

function storageUrl(path: string): string {
  const token = demoRandom(path).text(16, '0123456789abcdef');
  return `https://firebasestorage.googleapis.com/v0/b/scale-registry.appspot.com/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
