// A vehicle of the export in the registry's terms.
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { axleGroupsText } from '#app/vehicles/axle.ts';
import { perField, VEHICLE_FIELDS, type FieldColumns } from '#app/vehicles/vehicle-fields.ts';
import { isPlaceholder, normaliseVin, parseRego, VIN_MAX_LENGTH, vinWarning } from '#app/vehicles/vehicle.ts';
import { parseCalibrations, type ParsedCalibration } from './parse-calibrations.ts';
import { isObject, RecordReader, type Note } from './record-reader.ts';

export type ParsedVehicle = {
  rego: string;
  fields: FieldColumns;
  addedAt: Date | null;
  addedBy: string;
  updatedAt: Date | null;
  updatedBy: string;
  certificateUrl: string;
  imageUrls: string[];
  calibrations: ParsedCalibration[];
  refusedCalibrations: number;
  notes: Note[];
  unplaced: Record<string, unknown>;
};

const CUT = 'no later than the longest interval after the last calibration, or after today';
const NOT_IN_FORCE = 'Not in force: there is no calibration';
const REGO_READ = 'the key read as a rego of another form';
const OLD_VIN = 'vin left as it is, perhaps an older chassis number';

/** `longestIntervalDays`: the most days from the last calibration to the due date; a later one is cut to it. */
export type Rules = { timeZone: string; longestIntervalDays: number; now: () => Date };

/** Reads the record under `key` of Vehicles. Returns why it is refused when it has no usable rego. */
export function parseVehicle(key: string, value: unknown, rules: Rules): ParsedVehicle | { refused: string } {
  if (!isObject(value)) return { refused: 'the record is not an object' };
  const { timeZone: zone, now } = rules;
  const parsed = parseRego(key);
  if (!parsed.ok) return { refused: `the key is not a rego: ${parsed.message}` };
  const reader = new RecordReader(value, zone);
  if (parsed.rego !== key)
    reader.note('corrected', `the key ${JSON.stringify(key)} read as rego ${parsed.rego}`, REGO_READ);
  const stated = parseRego(reader.text('rego'));
  if (stated.ok && stated.rego !== parsed.rego)
    reader.refuse('rego', value['rego'], {
      text: `the field rego ${JSON.stringify(value['rego'])} differs from the key`,
      sort: 'the field rego differs from the key',
    });
  const read = parseCalibrations(reader, zone, now());
  return {
    rego: parsed.rego,
    fields: perField('column', VEHICLE_FIELDS, {
      text: ({ name, kind, imported }) => {
        if (kind === 'vin') return readVin(reader);
        // The former register has no field for the axle groups. They are those of its readings.
        if (kind === 'axle groups') return axleGroupsText(read.calibrations.map(({ axle }) => axle));
        return kind === 'choice' || kind === 'group details' ? '' : reader.text(name, imported);
      },
      day: ({ name, imported }) => {
        const day = reader.day(name, imported);
        return name === 'next_calibration_due'
          ? cutDue(reader, day, { calibrations: read.calibrations, ...rules })
          : day;
      },
      yesNo: ({ name }) => reader.flag(name),
    }),
    addedAt: reader.instant('added_at'),
    addedBy: reader.text('added_by'),
    updatedAt: reader.instant('updated_at'),
    updatedBy: reader.text('updated_by'),
    certificateUrl: reader.url('certificate', reader.text('certificate')),
    imageUrls: readImageUrls(reader),
    ...read,
    ...reader.finish(),
  };
}

function cutDue(
  reader: RecordReader,
  dueOn: string | null,
  { calibrations, timeZone, longestIntervalDays, now }: { calibrations: readonly ParsedCalibration[] } & Rules,
): string | null {
  const last = calibrations.reduce((latest, { id }) => Math.max(latest, id), -1);
  if (dueOn === null) return null;
  if (last < 0) {
    reader.note('noted', `next_calibration_due ${dueOn} kept. ${NOT_IN_FORCE}`, NOT_IN_FORCE);
    return dueOn;
  }
  // An entry of a day to come stretches nothing.
  const latest = addDays(todayIn(timeZone, new Date(Math.min(last, now().getTime()))), longestIntervalDays);
  if (dueOn <= latest) return dueOn;
  reader.note('corrected', `next_calibration_due ${dueOn} cut to ${latest}: ${CUT}`, CUT);
  return latest;
}

function readVin(reader: RecordReader): string {
  const text = reader.text('vin', 'expected');
  const vin = normaliseVin(text);
  if (vin === undefined) {
    reader.refuse('vin', text, {
      text: `vin ${JSON.stringify(text.slice(0, 40))} is not a VIN: letters and digits, at most ${VIN_MAX_LENGTH}`,
      sort: 'vin is not a VIN',
    });
    return '';
  }
  if (isPlaceholder(vin)) {
    reader.note('corrected', `vin ${JSON.stringify(text)} read as none`, 'vin that only says that there is none');
    return '';
  }
  if (vin !== text)
    reader.note('corrected', `vin ${JSON.stringify(text)} read as ${vin}`, 'vin written in another form');
  const warning = vinWarning(vin);
  if (warning !== undefined)
    reader.note('noted', `vin ${vin} left as it is, perhaps an older chassis number. ${warning}`, OLD_VIN);
  return vin;
}

function readImageUrls(reader: RecordReader): string[] {
  const value = reader.raw('imageUrls');
  if (value === undefined || value === null || value === '') return [];
  if (typeof value !== 'string' && typeof value !== 'object') {
    reader.refuse('imageUrls', value, 'imageUrls is not a list');
    return [];
  }
  return Object.values(typeof value === 'string' ? [value] : value).flatMap((url: unknown, index) => {
    if (typeof url === 'string') return reader.url(`imageUrls.${index}`, url) || [];
    if (url !== null) reader.refuse(`imageUrls.${index}`, url, `imageUrls.${index} is not text`);
    return [];
  });
}
