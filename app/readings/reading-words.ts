// A reading in words with its unit. Apart from calibration.ts, which pages load that need none of it.
import type { Output } from '#app/vehicles/outputs.ts';
import { formatValue, isOutput, unitOf, type Unit } from './calibration.ts';

/** A number of this unit, as an example. */
export const exampleOf = (unit: Unit): string => EXAMPLES[unit];
const EXAMPLES: Record<Unit, string> = { V: '3.18', kPa: '612', 'mV/V': '1.482', counts: '236975', kg: '15640' };

/** As it is stored: null is V of an output, and kg. */
export const storedUnit = (attribute: string, output: Output | null | undefined): Exclude<Output, 'V'> | null =>
  output == null || output === 'V' || !isOutput(attribute) ? null : output;

/** 'Empty Volt'; of another unit 'Empty output, kPa'. */
export const attributeWords = (attribute: string, output: Output | null = null): string =>
  output === null || output === 'V' || !isOutput(attribute)
    ? attribute
    : `${attribute.replace('Volt', 'output')}, ${output}`;

/** 'left 214, right 218'; '' of one sensor. */
export function sidesWords(sides: string | null | undefined): string {
  const [left = '', right] = (sides ?? '').split(' ');
  return right === undefined ? '' : `left ${formatValue(left)}, right ${formatValue(right)}`;
}

/** 'N/A' for an imported entry without a value. `between`: the value and its unit. */
export const valueWords = (
  { attribute, value, unit }: { attribute: string; value: string; unit?: Output | null | undefined },
  between = ' ',
): string => (value === '' ? 'N/A' : `${formatValue(value)}${between}${unitOf(attribute, unit)}`);
