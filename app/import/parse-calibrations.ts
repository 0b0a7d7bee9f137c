// The calibrations of one vehicle of the export in the registry's terms. What is odd in many of them gives one note;
// whatever has no place is stored but not shown under `calibrations.<key>`.
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES, parseCalibrationId, type CalibrationAttribute } from '#app/readings/calibration.ts';
import { addDays, instantOfDay, todayIn } from '#app/platform/time/calendar.ts';
import { shorten } from './clean-record.ts';
import { isObject, readDay, statedForm, type Note, type RecordReader } from './record-reader.ts';

export type ParsedCalibration = {
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  dueOn: string | null;
  technician: string;
  statedAtText: string;
};

const TEXT_MAX_LENGTH = 200;
const FIELDS = new Set([
  'calibration_date_time',
  'axle_type',
  'calibrating_technician',
  'calibration_due_date',
  'calibration_attribute',
  'calibration_value',
]);

// `sort`: what happened, without the entry's own values.
type Odd = (kind: Note['kind'], what: string, sort?: string) => void;

/** Reads the field `calibrations`. An entry without a usable key, axle, attribute or value is refused, and counted. */
export function parseCalibrations(
  reader: RecordReader,
  zone: string,
  now: Date,
): { calibrations: ParsedCalibration[]; refusedCalibrations: number } {
  const value = reader.raw('calibrations');
  if (value === undefined || value === null) return { calibrations: [], refusedCalibrations: 0 };
  if (!isObject(value)) {
    reader.refuse('calibrations', value, 'calibrations is not a map');
    return { calibrations: [], refusedCalibrations: 0 };
  }
  const counts = new Map<string, { kind: Note['kind']; what: string; sort: string; count: number }>();
  const odd: Odd = (kind, what, sort = what) => {
    const key = `${kind} ${what}`;
    const before = counts.get(key);
    if (before === undefined) counts.set(key, { kind, what, sort, count: 1 });
    else before.count += 1;
  };
  const calibrations: ParsedCalibration[] = [];
  let refusedCalibrations = 0;
  for (const [key, entry] of Object.entries(value)) {
    const parsed = parseCalibration(key, entry, { reader, zone, now, odd });
    if (typeof parsed !== 'string') calibrations.push(parsed);
    else {
      refusedCalibrations += 1;
      reader.refuse(`calibrations.${key}`, entry, {
        text: `calibration ${key} ${parsed}`,
        sort: 'a calibration that cannot be read',
      });
    }
  }
  for (const { kind, what, sort, count } of counts.values())
    reader.note(kind, `${count} ${count === 1 ? 'calibration' : 'calibrations'}: ${what}`, `calibrations: ${sort}`);
  return { calibrations, refusedCalibrations };
}

// The entry, or why it is refused. A refused entry gets no other notes, as it is stored whole.
function parseCalibration(
  key: string,
  entry: unknown,
  { reader, zone, now, odd }: { reader: RecordReader; zone: string; now: Date; odd: Odd },
): ParsedCalibration | string {
  const id = parseCalibrationId(key);
  if (id === undefined) return 'has no millisecond as its key';
  if (id >= instantOfDay(addDays(todayIn(zone, now), 2), zone).getTime()) return 'lies in the future';
  if (!isObject(entry)) return 'is not an object';
  const stated = textOf(entry['axle_type']);
  const axle = AXLES.find((known) => known.axle === stated?.toUpperCase())?.axle;
  if (axle === undefined) return 'has no known axle_type';
  const named = textOf(entry['calibration_attribute']);
  const attribute = CALIBRATION_ATTRIBUTES.find(
    (known) => known.attribute.toLowerCase() === named?.toLowerCase(),
  )?.attribute;
  if (attribute === undefined) return 'has no known calibration_attribute';
  const entered = textOf(entry['calibration_value'] ?? '');
  const value = entered === undefined ? undefined : readValue(entered, attribute);
  if (value === undefined) return 'has no readable calibration_value';

  if (axle !== stated) odd('corrected', 'axle_type put in upper case');
  if (attribute !== named) odd('corrected', 'calibration_attribute put in its usual case');
  if (typeof entry['calibration_value'] === 'number') odd('corrected', 'calibration_value was a number, read as text');
  if (value !== entered) odd('corrected', 'calibration_value rewritten as a plain decimal number');
  if (value === '') odd('noted', 'no calibration_value');

  const aside = (field: string, why: string, sort = why) => {
    reader.unplaced[`calibrations.${key}.${field}`] = entry[field];
    odd('refused', `${why}; stored but not shown`, `${sort}; stored but not shown`);
  };
  const optional = (field: string): string => {
    const text = textOf(entry[field] ?? '');
    if (text === undefined) aside(field, `${field} is not text`);
    else if (text.length > TEXT_MAX_LENGTH) aside(field, `${field} is longer than ${TEXT_MAX_LENGTH} characters`);
    return shorten(text ?? '', TEXT_MAX_LENGTH);
  };
  const due = optional('calibration_due_date');
  const { day, corrected } = due === '' ? { day: undefined, corrected: false } : readDay(due, zone);
  if (due !== '' && day === undefined)
    aside(
      'calibration_due_date',
      `calibration_due_date ${JSON.stringify(shorten(due, 40))} is not a date`,
      'calibration_due_date is not a date',
    );
  else if (corrected) odd('corrected', 'calibration_due_date rewritten as a date');

  const statedAtText = optional('calibration_date_time');
  const form = statedForm(statedAtText, todayIn(zone, new Date(id)));
  if (form === 'month-first')
    odd('corrected', 'calibration_date_time written month first; the time comes from the key');
  if (form === 'other') odd('noted', 'calibration_date_time differs from the key, whose time is taken');

  const technician = optional('calibrating_technician');
  if (technician.includes('@'))
    odd(
      'corrected',
      `technician named by the address ${technician}; counted as the person who has it`,
      'technician named by an address; counted as the person who has it',
    );
  for (const field of Object.keys(entry)) if (!FIELDS.has(field)) aside(field, `unknown field ${field}`);
  return { id, axle, attribute, value, dueOn: day ?? null, technician, statedAtText };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}

// Decimal text as it was entered; a decimal comma, a leading + or the attribute's own unit behind it are put right.
function readValue(text: string, attribute: CalibrationAttribute): string | undefined {
  const plain = text
    .replace(attribute.endsWith('Volt') ? /\s*v$/i : /\s*kg$/i, '')
    .replace(/^\+/, '')
    .replace(/^(-?\d+),(\d{1,2}|\d{4,15})$/, '$1.$2')
    .replace(/^(-?)\./, (_all, sign: string) => `${sign}0.`)
    .replace(/\.$/, '');
  if (plain === '') return text === '' ? '' : undefined;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? plain : undefined;
}
