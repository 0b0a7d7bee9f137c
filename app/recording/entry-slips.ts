// The likely slips of a single reading: in its value, and compared with the axle's other readings of the visit. Browser
// and server apply the rules of the form of all axles. The other reading is already recorded and may be the wrong one,
// so a slip never blocks: the technician can confirm the reading and record it.
import type { Axle } from '#app/vehicles/axle.ts';
import {
  CALIBRATION_ATTRIBUTES,
  formatValue,
  READING_FIELD,
  unitOf,
  type CalibrationAttribute,
} from '#app/readings/calibration.ts';
import { explained, REMARK_KINDS, refusalsOf, warningsOf, type Remark } from '#app/readings/calibration-line.ts';

export type Reading = { axle: Axle; attribute: CalibrationAttribute; value: string };
/** `code` identifies the slip and its value, so that the form confirms only slips that the user saw. */
export type Slip = { code: string; message: string };

const COUNTERPARTS = {
  'Empty Volt': 'Loaded Volt',
  'Empty Weight': 'Loaded Weight',
  'Loaded Volt': 'Empty Volt',
  'Loaded Weight': 'Empty Weight',
} as const satisfies Record<CalibrationAttribute, CalibrationAttribute>;

/** `beside`: the technician's other readings of this truck during the visit, the latest of each axle and attribute. */
export function slipsOf(reading: Reading, beside: readonly Reading[]): Slip[] {
  const { axle, attribute, value } = reading;
  const others = beside.filter((one) => one.axle === axle && one.attribute !== attribute && one.value !== '');
  const before = Object.fromEntries(others.map((one) => [READING_FIELD[one.attribute], one.value]));
  const remarksOf = (values: Record<string, string>) => [...refusalsOf(values), ...warningsOf(axle, values)];
  const known = remarksOf(before).map(({ field, kind }) => `${field} ${kind}`);
  const field = READING_FIELD[attribute];
  const counterpart = others.find((one) => one.attribute === COUNTERPARTS[attribute]);
  return (
    remarksOf({ ...before, [field]: value })
      .filter((remark) => !known.includes(`${remark.field} ${remark.kind}`))
      // In tonnes, it only seems swapped with the one before: that is said once, in the words of the form of all axles.
      .filter((remark) => {
        const said = explained({ ...before, [field]: value }, remark);
        return said === remark || said.field !== field;
      })
      .map((remark) => ({
        code: codeOf(reading, remark.kind),
        message:
          counterpart !== undefined && COMPARED.includes(remark.kind)
            ? `${remark.message} Recorded before: ${wordsOf(counterpart)}.`
            : remark.message,
      }))
  );
}

const COMPARED: readonly Remark['kind'][] = ['equal-volts', 'loads-swapped', 'negative-slope'];

const codeOf = ({ axle, attribute, value }: Reading, kind: Remark['kind']): string =>
  `${axle}_${READING_FIELD[attribute]}:${kind}:${value}`;

/** Whether the user confirmed every slip. `codes`: the value of the form's tick box. */
export function areConfirmed(slips: readonly Slip[], codes: unknown): boolean {
  const seen = typeof codes === 'string' ? codes.split(' ') : [];
  return slips.every(({ code }) => seen.includes(code));
}

/** The axle's next attribute without a reading, after the given one; undefined if the axle has all four. */
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

/** The codes of every possible slip of a reading, for programs that confirm all of them. */
export const everySlipOf = (reading: Reading): string => REMARK_KINDS.map((kind) => codeOf(reading, kind)).join(' ');

const wordsOf = ({ attribute, value }: Reading): string =>
  `${attribute} ${formatValue(value)}\u00a0${unitOf(attribute)}`;
