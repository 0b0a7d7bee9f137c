// The outputs of an axle group as they are typed: in the unit of the group, of one sensor or of a left and a right one,
// and at further check loads. Of two sensors the line uses the mean.
import { readNumber, type EnteredNumber } from '#app/platform/http/entered-number.ts';
import { outputOf, type GroupDetails } from '#app/vehicles/group-details.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { formatValue } from './calibration.ts';
import { exampleOf } from './reading-words.ts';
import { SIDES, sideName } from './sides.ts';
import { absolute, add, compare, divide, formatFraction, multiply, parseDecimal, subtract, whole } from './fraction.ts';

/** What was typed of one output. `sides`: of the left and the right sensor. `apart`: they can hardly both be right. */
type TypedOutput = { value?: string; sides?: string; apart?: string; errors: Record<string, string> };
export type CheckLoad = { volt: string; weight: string; sides?: string | undefined };
type Text = (name: string) => string;

const isOfTwo = ({ sensors }: GroupDetails): boolean => sensors === 'left-right';

/** The output under `name` of a group of which `details` are known. */
export function readOutput(name: string, text: Text, details: GroupDetails): TypedOutput {
  const unit = outputOf(details);
  if (details.sensors === 'no-sensor') return { errors: {} };
  const [left = '', right = ''] = SIDES.map((side) => text(sideName(name, side)).trim());
  if (!isOfTwo(details) || left + right === '') {
    const typed = text(name).trim();
    const entered = readNumber(typed, exampleOf(unit), unit);
    if (typed === '') return { errors: {} };
    return entered.ok ? { value: entered.value, errors: {} } : { errors: { [name]: entered.message } };
  }
  const errors: Record<string, string> = {};
  const values = [left, right].map((typed, place) => {
    const entered = readNumber(typed, exampleOf(unit), unit);
    if (!entered.ok) errors[sideName(name, SIDES[place] ?? 'left')] = typed === '' ? BOTH : entered.message;
    return entered.ok ? entered.value : '';
  });
  return Object.keys(errors).length > 0 ? { errors } : { ...ofSides(values, unit), errors };
}
const BOTH = 'Enter the output of this side too.';

function ofSides(
  [left = '', right = '']: readonly string[],
  unit: Output,
): Pick<TypedOutput, 'value' | 'sides' | 'apart'> {
  const places = Math.max(...[left, right].map((text) => text.split('.')[1]?.length ?? 0));
  const difference = absolute(subtract(parseDecimal(left), parseDecimal(right)));
  const apart = `Left and right are ${formatValue(formatFraction(difference, places))} ${unit} apart. Check the decimal point.`;
  return { value: meanOf(left, right), sides: `${left} ${right}`, ...(areApart(left, right, unit) ? { apart } : {}) };
}

/** Two sensors of a group whose outputs can hardly both be right. Near zero those of a bridge may have either sign. */
export function areApart(left: string, right: string, unit: Output): boolean {
  const [one, other] = [parseDecimal(left), parseDecimal(right)];
  const difference = absolute(subtract(one, other));
  if (unit === 'mV/V' && compare(difference, whole(1)) <= 0) return false;
  return compare(multiply(difference, whole(2)), absolute(add(one, other))) > 0;
}

/** Exact: with a decimal more where it takes one. */
export function meanOf(left: string, right: string): string {
  const places = Math.max(...[left, right].map((text) => text.split('.')[1]?.length ?? 0));
  const mean = divide(add(parseDecimal(left), parseDecimal(right)), whole(2));
  const longer = formatFraction(mean, places + 1);
  return longer.endsWith('0') ? formatFraction(mean, places) : longer;
}

/** One output as it is typed in one box: '612', or '606/618' of a left and a right sensor. */
export function readOneBox(text: string, unit: Output): EnteredNumber & { sides?: string | undefined } {
  const typed = text.replace(/ ?mv\/v$/i, '');
  const parts = typed.split('/').map((part) => readNumber(part, exampleOf(unit), unit));
  const wrong = parts.find(({ ok }) => !ok);
  const values = parts.flatMap((part) => (part.ok ? [part.value] : []));
  const [value = ''] = values;
  if (wrong !== undefined || values.length > 2) return readNumber(typed, exampleOf(unit), unit);
  if (values.length < 2) return { ok: true, value };
  const of = ofSides(values, unit);
  return { ok: true, value: of.value ?? value, sides: of.sides };
}

const MORE_MAX = 9;
const UNIT_WORD = /^(v|volts?|kpa|mv\/v|counts?|kgs?)$/i;

/** Further check loads, one a line: '411 10,460', of two sensors '408/414 10,460'. */
export function readMoreChecks(text: string, details: GroupDetails): { loads: CheckLoad[]; error?: string } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const unit = outputOf(details);
  const loads: CheckLoad[] = [];
  for (const [place, line] of lines.entries()) {
    const [first = '', ...rest] = line
      .trim()
      .split(/\s+/)
      .filter((word) => !UNIT_WORD.test(word));
    const [output, weight] = [readOneBox(first, unit), readNumber(rest.join(' '), '', 'kg')];
    if (!output.ok || !weight.ok || weight.value.startsWith('-'))
      return {
        loads,
        error: `Line ${place + 1}: enter the output and then the kilograms, such as ${exampleOf(unit)} 10460.`,
      };
    const { value: volt, sides } = output;
    loads.push({ volt, weight: weight.value, ...(sides === undefined ? {} : { sides }) });
  }
  return loads.length > MORE_MAX ? { loads, error: `At most ${MORE_MAX + 1} check loads a group.` } : { loads };
}
