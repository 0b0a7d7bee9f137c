// What looks like a slip in a single reading: by itself, and beside the axle's readings of the same hours. The rules are
// those of the form of all axles, in the browser and on the server. The other reading is recorded already and may be the
// wrong one, so nothing is refused for good: whoever says that the reading is correct records it.
import { CALIBRATION_ATTRIBUTES, formatValue, unitOf, type Axle, type CalibrationAttribute } from './calibration.ts';
import { REMARK_KINDS, refusalsOf, warningsOf, type ReadingField, type Remark } from './calibration-line.ts';

export type Reading = { axle: Axle; attribute: CalibrationAttribute; value: string };
/** `code` names what was found, so that only what was seen can be confirmed. */
export type Slip = { code: string; message: string };

const FIELDS = {
  'Empty Volt': 'empty_volt',
  'Empty Weight': 'empty_weight',
  'Loaded Volt': 'loaded_volt',
  'Loaded Weight': 'loaded_weight',
} as const satisfies Record<CalibrationAttribute, ReadingField>;
const COUNTERPARTS = {
  'Empty Volt': 'Loaded Volt',
  'Empty Weight': 'Loaded Weight',
  'Loaded Volt': 'Empty Volt',
  'Loaded Weight': 'Empty Weight',
} as const satisfies Record<CalibrationAttribute, CalibrationAttribute>;

/** `beside`: the readings that the technician recorded of this truck in the same hours, the latest of each kind. */
export function slipsOf(reading: Reading, beside: readonly Reading[]): Slip[] {
  const { axle, attribute, value } = reading;
  const others = beside.filter((one) => one.axle === axle && one.attribute !== attribute && one.value !== '');
  const before = Object.fromEntries(others.map((one) => [FIELDS[one.attribute], one.value]));
  const remarksOf = (values: Record<string, string>) => [...refusalsOf(values), ...warningsOf(axle, values)];
  const known = remarksOf(before).map(({ field, kind }) => `${field} ${kind}`);
  const field = FIELDS[attribute];
  const counterpart = others.find((one) => one.attribute === COUNTERPARTS[attribute]);
  return remarksOf({ ...before, [field]: value })
    .filter((remark) => !known.includes(`${remark.field} ${remark.kind}`))
    .map((remark) => ({
      code: codeOf(reading, remark.kind),
      message:
        counterpart !== undefined && COMPARED.includes(remark.kind)
          ? `${remark.message} Recorded before: ${wordsOf(counterpart)}.`
          : remark.message,
    }));
}

const COMPARED: readonly Remark['kind'][] = ['equal-volts', 'loads-swapped', 'negative-slope'];

const codeOf = ({ axle, attribute, value }: Reading, kind: Remark['kind']): string =>
  `${axle}_${FIELDS[attribute]}:${kind}:${value}`;

/** Whether each was seen and confirmed. `codes`: of the tick under them, as the form sends it. */
export function areConfirmed(slips: readonly Slip[], codes: unknown): boolean {
  const seen = typeof codes === 'string' ? codes.split(' ') : [];
  return slips.every(({ code }) => seen.includes(code));
}

/** The attribute of the axle that is not recorded yet, after the one that just was; undefined: it has all four. */
export function nextReading(
  { axle, attribute }: Pick<Reading, 'axle' | 'attribute'>,
  beside: readonly Reading[],
): CalibrationAttribute | undefined {
  const order = CALIBRATION_ATTRIBUTES.map((known) => known.attribute);
  const place = order.indexOf(attribute);
  return [...order.slice(place + 1), ...order.slice(0, place)].find(
    (other) => !beside.some((one) => one.axle === axle && one.attribute === other),
  );
}

/** The codes of all that can be found in a reading, for programs that know what they send. */
export const everySlipOf = (reading: Reading): string => REMARK_KINDS.map((kind) => codeOf(reading, kind)).join(' ');

const wordsOf = ({ attribute, value }: Reading): string =>
  `${attribute} ${formatValue(value)}\u00a0${unitOf(attribute)}`;
