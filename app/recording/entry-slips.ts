// The likely slips of a single reading: in its value, and compared with the axle's other readings of the visit. Browser
// and server apply the rules of the form of all axles. The other reading is already recorded and may be the wrong one,
// so a slip never blocks: the technician can confirm the reading and record it.
import { referenceOf } from '#app/readings/reference-masses.ts';
import { detailsIn, outputOf } from '#app/vehicles/group-details.ts';
import { isAxle, type Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { CALIBRATION_ATTRIBUTES, READING_FIELD, type CalibrationAttribute } from '#app/readings/calibration.ts';
import { valueWords } from '#app/readings/reading-words.ts';
import {
  explained,
  REMARK_KINDS,
  refusalsOf,
  warningsOf,
  type FourReadings,
  type Remark,
} from '#app/readings/calibration-line.ts';
import { readingsByField } from '#app/readings/calibration-set.ts';

/** `unit`: of an output; without: V. */
export type Reading = {
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  unit?: Output | null | undefined;
};
/** `code` identifies the slip and its value, so that the form confirms only slips that the user saw. */
export type Slip = { code: string; message: string };

const COUNTERPARTS = {
  'Empty Volt': 'Loaded Volt',
  'Empty Weight': 'Loaded Weight',
  'Loaded Volt': 'Empty Volt',
  'Loaded Weight': 'Empty Weight',
} as const satisfies Record<CalibrationAttribute, CalibrationAttribute>;

/**
 * What a reading is compared with. `readings`: the technician's other readings of this truck during the visit, the
 * latest of each axle and attribute; `groupDetails`: of the truck, as stored.
 */
export type Beside = { readings: readonly Reading[]; groupDetails: string };

/** The unit of an output: as the form says it, else that of its group. */
export function entryOutput(said: string, axle: string, groupDetails: string): Output {
  const name = axle.trim().toUpperCase();
  if (said !== '') return outputOf({ output: said });
  return isAxle(name) ? outputOf(detailsIn(groupDetails)[name]) : 'V';
}

export function slipsOf(reading: Reading, { readings, groupDetails }: Beside): Slip[] {
  const { axle, attribute } = reading;
  const others = readings.filter((one) => one.axle === axle && one.attribute !== attribute && one.value !== '');
  const [before, now] = [readingsByField(others), readingsByField([...others, reading])];
  const reference = referenceOf(axle, detailsIn(groupDetails)[axle]);
  const remarksOf = (values: Partial<FourReadings>) => [...refusalsOf(values), ...warningsOf(axle, values, reference)];
  const known = remarksOf(before).map(({ field, kind }) => `${field} ${kind}`);
  const field = READING_FIELD[attribute];
  const counterpart = others.find((one) => one.attribute === COUNTERPARTS[attribute]);
  return (
    remarksOf(now)
      .filter((remark) => !known.includes(`${remark.field} ${remark.kind}`))
      // In tonnes, it only seems swapped with the one before: that is said once, in the words of the form of all axles.
      .filter((remark) => {
        const said = explained(now, remark);
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

const COMPARED: readonly Remark['kind'][] = ['mixed-units', 'equal-volts', 'loads-swapped', 'negative-slope'];

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

const wordsOf = (reading: Reading): string => `${reading.attribute} ${valueWords(reading, '\u00a0')}`;
