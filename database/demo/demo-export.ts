// The demo registry, as an export of the former database that the importer reads. The same day gives the same export.
// The folder bucket/ has the files of the former file storage.
import { addDays } from '#app/platform/time/calendar.ts';
import {
  DEMO_ADMINS,
  demoActivityLogs,
  demoAdmins,
  demoApplications,
  demoTechnicians,
  type DemoTechnicianRecord,
} from './demo-people.ts';
import { demoRandom, type DemoRandom } from './demo-random.ts';
import { DEMO_VEHICLES, type DemoVehicle } from './demo-vehicles.ts';
import { demoCalibrations } from './demo-visits.ts';

const VIN_ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
const DRIVERS = [
  'Karen Doyle',
  'Mick Farrugia',
  'Wei Zhang',
  'Aroha Ngata',
  'Steve Pappas',
  'Joanne Reid',
  'Hassan Ali',
  'Colin Birrell',
  '',
];
/** The first three characters of each maker's VINs. */
const MAKERS: Record<string, string> = {
  DAF: 'XLR',
  Freightliner: '1FV',
  Fuso: 'JLF',
  Hino: 'JHD',
  Isuzu: 'JAL',
  Iveco: 'ZCF',
  Kenworth: '6F5',
  MAN: 'WMA',
  Mack: '6U9',
  'Mercedes-Benz': 'WDB',
  Scania: 'YS2',
  UD: 'JNC',
  Volvo: 'YV2',
  'Western Star': '5KK',
};

export type MoreRecords = { technicians: readonly DemoTechnicianRecord[]; vehicles: readonly DemoVehicle[] };

/**
 * The export with dates around `today` ('YYYY-MM-DD', a day of Australia/Sydney). One file that it names, the
 * certificate of CJ40PL, is missing from the bucket on purpose, as happens in real exports. `more`: what the demo adds to it.
 */
export function demoExport(today: string, more: MoreRecords = { technicians: [], vehicles: [] }): unknown {
  return {
    ActivityLogs: demoActivityLogs(today),
    Admins: demoAdmins(today),
    Applications: demoApplications(today),
    Technicians: demoTechnicians(today, more.technicians),
    Vehicles: Object.fromEntries(
      [...DEMO_VEHICLES, ...more.vehicles].map((vehicle) => [vehicle.rego, exportVehicle(vehicle, today)]),
    ),
  };
}

function exportVehicle(vehicle: DemoVehicle, today: string): Record<string, unknown> {
  const random = demoRandom(vehicle.rego);
  const { calibrations, firstDay } = demoCalibrations(vehicle, today, random);
  const calibrated = firstDay !== null;
  const fittedOn =
    vehicle.fittedIn === undefined
      ? addDays(firstDay ?? addDays(today, -9), -random.whole(0, 3))
      : addDays(today, vehicle.fittedIn);
  const updated = { updated_at: addDays(today, vehicle.dueIn - 181), updated_by: random.pick(DEMO_ADMINS.slice(0, 2)) };
  return {
    rego: vehicle.rego,
    vin: vehicle.vin ?? drawVin(vehicle.make, random),
    scale_serial_number: vehicle.serial ?? drawSerial(random),
    fitted_location: vehicle.place,
    fitted_date: vehicle.serial === '' ? '' : fittedOn,
    warranty_expiry_date: warrantyEnd(vehicle, fittedOn, today),
    company_name: vehicle.company,
    driver_name: vehicle.driver ?? random.pick(DRIVERS),
    notes: vehicle.notes ?? '',
    make: vehicle.make,
    model: vehicle.model,
    calibration_validated: vehicle.validated ?? calibrated,
    certificate: vehicle.certificate ? storageUrl(`certificates/${vehicle.rego}/certificate.pdf`) : '',
    ...(vehicle.images && { imageUrls: vehicle.images.map((name) => storageUrl(`vehicles/${vehicle.rego}/${name}`)) }),
    added_at: addDays(fittedOn, -1),
    added_by: DEMO_ADMINS[0],
    ...(calibrated && { ...updated, calibrations }),
    ...(calibrated && !vehicle.dueLeftOut && { next_calibration_due: addDays(today, vehicle.dueIn) }),
  };
}

function warrantyEnd({ warrantyIn }: DemoVehicle, fittedOn: string, today: string): string {
  if (warrantyIn === null) return '';
  return warrantyIn === undefined ? addDays(fittedOn, 3 * 365) : addDays(today, warrantyIn);
}

function drawVin(make: string, random: DemoRandom): string {
  const maker = MAKERS[make];
  if (maker === undefined) throw new Error(`no VIN prefix for ${make}`);
  return `${maker}${random.text(6, VIN_ALPHABET)}${random.text(2, 'KLMNPRST')}${random.text(6, '0123456789')}`;
}

function drawSerial(random: DemoRandom): string {
  return random.whole(0, 1) === 0
    ? `LC-40 ${random.whole(210_000, 225_999)}`
    : `BW-2 ${String(random.whole(200, 1400)).padStart(5, '0')}`;
}

function storageUrl(path: string): string {
  const token = demoRandom(path).text(16, '0123456789abcdef');
  return `https://firebasestorage.googleapis.com/v0/b/scale-registry.appspot.com/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
