// A vehicle of the export in the registry's terms.
import {
  AXLES,
  CALIBRATION_ATTRIBUTES,
  parseCalibrationId,
  type Axle,
  type CalibrationAttribute,
} from '#app/calibrations/calibration.ts';
import { todayIn } from '#app/platform/calendar.ts';
import { normaliseVin, parseRego, VIN_MAX_LENGTH, vinWarning } from '#app/vehicles/vehicle.ts';
import { isObject, readDay, RecordReader, statedForm, type Note } from './record-reader.ts';

export type ParsedCalibration = {
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  dueOn: string | null;
  technician: string;
  statedAtText: string;
};
export type ParsedVehicle = {
  rego: string;
  fields: {
    vin: string;
    scaleSerialNumber: string;
    fittedLocation: string;
    fittedOn: string | null;
    warrantyExpiresOn: string | null;
    companyName: string;
    driverName: string;
    notes: string;
    make: string;
    model: string;
    nextCalibrationDueOn: string | null;
    calibrationValidated: boolean;
  };
  addedAt: Date | null;
  addedBy: string;
  updatedAt: Date | null;
  updatedBy: string;
  certificateUrl: string;
  imageUrls: string[];
  calibrations: ParsedCalibration[];
  notes: Note[];
  unplaced: Record<string, unknown>;
};

/** Reads the record under `key` of Vehicles. Returns why it is refused when it has no usable rego. */
export function parseVehicle(key: string, value: unknown, zone: string): ParsedVehicle | { refused: string } {
  if (!isObject(value)) return { refused: 'the record is no object' };
  const parsed = parseRego(key);
  if (!parsed.ok) return { refused: `the key is no rego: ${parsed.message}` };
  const reader = new RecordReader(value, zone);
  if (parsed.rego !== key) reader.note('mended', `the key ${JSON.stringify(key)} taken as rego ${parsed.rego}`);
  const stated = parseRego(reader.text('rego'));
  if (stated.ok && stated.rego !== parsed.rego)
    reader.refuse('rego', value['rego'], `the field rego ${JSON.stringify(value['rego'])} differs from the key`);
  const vehicle: ParsedVehicle = {
    rego: parsed.rego,
    fields: {
      vin: readVin(reader),
      scaleSerialNumber: reader.text('scale_serial_number', 'expected'),
      fittedLocation: reader.text('fitted_location', 'expected'),
      fittedOn: reader.day('fitted_date', 'expected'),
      warrantyExpiresOn: reader.day('warranty_expiry_date', 'expected'),
      companyName: reader.text('company_name', 'expected'),
      driverName: reader.text('driver_name'),
      notes: reader.text('notes'),
      make: reader.text('make', 'expected'),
      model: reader.text('model', 'expected'),
      nextCalibrationDueOn: reader.day('next_calibration_due'),
      calibrationValidated: reader.flag('calibration_validated'),
    },
    addedAt: reader.instant('added_at'),
    addedBy: reader.text('added_by'),
    updatedAt: reader.instant('updated_at'),
    updatedBy: reader.text('updated_by'),
    certificateUrl: readUrl(reader, 'certificate', reader.text('certificate')),
    imageUrls: readImageUrls(reader),
    calibrations: readCalibrations(reader, zone),
    notes: reader.notes,
    unplaced: reader.unplaced,
  };
  reader.finish();
  return vehicle;
}

function readVin(reader: RecordReader): string {
  const text = reader.text('vin', 'expected');
  const vin = normaliseVin(text);
  if (vin === undefined) {
    reader.refuse(
      'vin',
      text,
      `vin ${JSON.stringify(text.slice(0, 40))} is no VIN: letters and digits, at most ${VIN_MAX_LENGTH}`,
    );
    return '';
  }
  if (vin !== text) reader.note('mended', `vin ${JSON.stringify(text)} taken as ${vin}`);
  const warning = vinWarning(vin);
  if (warning !== undefined)
    reader.note('mended', `vin ${vin} taken as it is, perhaps an older chassis number. ${warning}`);
  return vin;
}

function readImageUrls(reader: RecordReader): string[] {
  const value = reader.raw('imageUrls');
  if (value === undefined || value === null || value === '') return [];
  const list = typeof value === 'string' ? [value] : typeof value === 'object' ? Object.values(value) : undefined;
  if (list === undefined) {
    reader.refuse('imageUrls', value, 'imageUrls is no list');
    return [];
  }
  return list.flatMap((url: unknown, index) => {
    if (typeof url === 'string') return readUrl(reader, `imageUrls ${index + 1}`, url) || [];
    if (url !== null) reader.refuse(`imageUrls.${index}`, url, `imageUrls ${index + 1} is no text`);
    return [];
  });
}

// Links are shown to the public, so only such as lead to a web address are taken.
function readUrl(reader: RecordReader, field: string, text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && text.length <= 2000)
    return url.href;
  reader.refuse(field, text, `${field} is no web address`);
  return '';
}

function readCalibrations(reader: RecordReader, zone: string): ParsedCalibration[] {
  const value = reader.raw('calibrations');
  if (value === undefined || value === null) return [];
  if (!isObject(value)) {
    reader.refuse('calibrations', value, 'calibrations is no map');
    return [];
  }
  const odd = new Map<string, number>();
  const refused: Record<string, unknown> = {};
  const taken = Object.entries(value).flatMap(
    ([key, entry]) =>
      readCalibration(key, entry, zone, (what) => odd.set(what, (odd.get(what) ?? 0) + 1)) ??
      ((refused[key] = entry), []),
  );
  for (const [what, count] of odd)
    reader.note('mended', `${count} ${count === 1 ? 'calibration' : 'calibrations'}: ${what}`);
  for (const [key, entry] of Object.entries(refused))
    reader.refuse(`calibrations.${key}`, entry, `calibration ${key} has no usable key, axle, attribute or value`);
  return taken;
}

function readCalibration(
  key: string,
  entry: unknown,
  zone: string,
  odd: (what: string) => void,
): ParsedCalibration | undefined {
  const id = parseCalibrationId(key);
  if (id === undefined || id > 8.64e15 || !isObject(entry)) return undefined;
  const text = (field: string) => {
    const value = entry[field];
    return typeof value === 'string'
      ? value.replaceAll('\u0000', '').trim().slice(0, 200)
      : typeof value === 'number'
        ? String(value)
        : '';
  };
  const stated = text('axle_type');
  const axle = AXLES.find((known) => known.axle === stated.toUpperCase())?.axle;
  const attribute = CALIBRATION_ATTRIBUTES.find(
    (known) => known.attribute.toLowerCase() === text('calibration_attribute').toLowerCase(),
  )?.attribute;
  const value = readValue(text('calibration_value'));
  if (axle === undefined || attribute === undefined || value === undefined) return undefined;
  if (axle !== stated) odd('axle_type put in upper case');
  if (attribute !== text('calibration_attribute')) odd('calibration_attribute put in its usual case');
  if (value !== text('calibration_value')) odd('calibration_value mended to a plain decimal number');
  if (value === '') odd('no calibration_value');
  const due = text('calibration_due_date');
  const dueOn = due === '' ? undefined : readDay(due);
  if (dueOn?.mended === true && dueOn.day !== undefined) odd('calibration_due_date mended to a date');
  if (dueOn !== undefined && dueOn.day === undefined)
    odd(`calibration_due_date ${JSON.stringify(due.slice(0, 40))} is no date, left out`);
  const statedAtText = text('calibration_date_time');
  const form = statedForm(statedAtText, todayIn(zone, new Date(id)));
  if (form === 'month-first') odd('calibration_date_time written month first; the time comes from the key');
  if (form === 'other') odd('calibration_date_time differs from the key, whose time is taken');
  if (text('calibrating_technician').includes('@'))
    odd(`technician named by the address ${text('calibrating_technician')}; taken as the person who has it`);
  const unknown = Object.keys(entry).filter((field) => !CALIBRATION_FIELDS.has(field));
  for (const field of unknown) odd(`unknown field ${field}`);
  return {
    id,
    axle,
    attribute,
    value,
    dueOn: dueOn?.day ?? null,
    technician: text('calibrating_technician'),
    statedAtText,
  };
}

const CALIBRATION_FIELDS = new Set([
  'calibration_date_time',
  'axle_type',
  'calibrating_technician',
  'calibration_due_date',
  'calibration_attribute',
  'calibration_value',
]);

// Decimal text as it was entered; a decimal comma, a leading + or a unit behind it are put right.
function readValue(text: string): string | undefined {
  const plain = text
    .replace(/\s*(kg|v)$/i, '')
    .replace(/^\+/, '')
    .replace(/^(-?\d+),(\d{1,2}|\d{4,15})$/, '$1.$2')
    .replace(/^(-?)\./, (_all, sign: string) => `${sign}0.`)
    .replace(/\.$/, '');
  if (plain === '') return '';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? plain : undefined;
}
