// The readings of histories: all lie on one line of the truck, so that visits agree, and no two are equal to the digit.
import type { Reading } from './operation.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';

const TRUE_LINE = { 'Empty Volt': '1.02', 'Empty Weight': '4030', 'Loaded Volt': '11.98', 'Loaded Weight': '20470' };
/** No sensor gives so much: not plausible, and yet on the line within its tolerance. */
const JUNK_VOLT = '12.02';

let values = 0;
/** A value of its own; `isJunk` where the attribute can be. */
export function newValue(attribute: Reading['attribute'], isJunk: boolean): string {
  values += 1;
  const value = isJunk && attribute === 'Loaded Volt' ? JUNK_VOLT : TRUE_LINE[attribute];
  return `${value}${value.includes('.') ? '' : '.'}${String(values).padStart(9, '0')}`;
}

/** The four of an axle group. `dueOn`: of all of them, or of the first only. */
export function fourReadings(
  axle: Reading['axle'],
  { dueOn, isJunk = false, isDueOnce = false }: { dueOn: string | null; isJunk?: boolean; isDueOnce?: boolean },
): Reading[] {
  return CALIBRATION_ATTRIBUTES.map(({ attribute }, nth) => ({
    axle,
    attribute,
    value: newValue(attribute, isJunk),
    dueOn: isDueOnce && nth > 0 ? null : dueOn,
  }));
}
