// The check 'plausible' of a visit: whether its readings can be right.
import { formatDay } from '#app/platform/time/calendar.ts';
import { axleGroupsText, axleLabel, isTrailer } from '#app/vehicles/axle.ts';
import { kg } from './agrees-check.ts';
import { loadCheckWords } from './gross-check.ts';
import type { Tolerance } from '#app/readings/agreement.ts';
import { areApart } from '#app/readings/grid-outputs.ts';
import { sidesWords } from '#app/readings/reading-words.ts';
import { isWeighingSlip } from '#app/readings/weighings.ts';
import { formatValue } from '#app/readings/calibration.ts';
import {
  fourIn,
  output,
  rangeWords,
  refusalsOf,
  warningsOf,
  type FourReadings,
  type Remark,
} from '#app/readings/calibration-line.ts';
import { absolute, compare, multiply, parseDecimal, subtract, whole } from '#app/readings/fraction.ts';
import type { Checked, VisitAxle, VisitFacts } from './visit-facts.ts';

/** Whether the readings can be right: no slip, no weight that an empty truck does not have, no copy. */
export function judgePlausible(
  { axles, copied, notBehind, loadChecks = [] }: VisitFacts,
  tolerance: Tolerance,
): Checked {
  const isOtherBehind = axles.some(
    ({ axle, begins, emptyBefore }) =>
      (isTrailer(axle) && begins === 'other-trailer') ||
      (emptyBefore !== undefined && emptyBefore.notBehind !== axleGroupsText(notBehind)),
  );
  for (const one of axles) {
    const { axle, readings } = one;
    const [slip] = [...refusalsOf(readings), ...warningsOf(axle, readings).filter(({ kind }) => kind !== 'low-load')];
    if (slip !== undefined) return ['failed', `${axleLabel(axle)}: ${slipWords(slip, readings)}.`, { groups: [axle] }];
    const apart = one.sides
      ?.map((pair) => pair.split(' '))
      .find(([left = '', right = '']) =>
        areApart(left, right, readings.unit === 'mixed' ? 'V' : (readings.unit ?? 'V')),
      );
    if (apart !== undefined)
      return [
        'failed',
        `${axleLabel(axle)}: ${sidesWords(apart.join(' '))} can hardly both be right.`,
        { groups: [axle] },
      ];
    const empty = axle === 'STEER' || (axle === 'DRIVE' && !isOtherBehind) ? emptyWords(one) : undefined;
    if (empty !== undefined) return ['failed', `${axleLabel(axle)}: ${empty}.`, { groups: [axle] }];
  }
  const apart = loadChecks.find((check) => isWeighingSlip(check, tolerance));
  if (apart !== undefined) return ['failed', loadCheckWords(apart)];
  if (copied !== null)
    return [
      'failed',
      copied.isExact
        ? `An earlier visit of ${copied.isOwn ? 'this truck' : 'another truck'} has the same readings, digit for digit.`
        : 'A visit of another truck has the same readings, each within 0.01\u00a0V and 20\u00a0kg.',
    ];
  return axles.some(({ readings }) => fourIn(readings) !== undefined)
    ? ['passed', 'No reading looks like a slip or a copy.']
    : ['cannot be told', 'No axle group has all its readings.'];
}

// For anyone to read: the form's own words ask the technician something. The value is the one that looks wrong.
function slipWords({ kind, field }: Remark, readings: Partial<FourReadings>): string {
  const value = formatValue(readings[field] ?? '');
  const unit = readings.unit === 'mixed' ? 'V' : (readings.unit ?? 'V');
  const words = output(readings);
  switch (kind) {
    case 'mixed-units':
      return 'the empty and the loaded output are in different units';
    case 'equal-volts':
      return `the empty and the loaded ${words} are equal, ${value}\u00a0${unit}`;
    case 'loads-swapped':
      return `the loaded weight, ${value}\u00a0kg, is not more than the empty weight, ${formatValue(readings.empty_weight ?? '')}\u00a0kg`;
    case 'looks-like-tonnes':
      return `a weight, ${value}, looks like tonnes`;
    case 'too-heavy':
      return `a weight, ${value}\u00a0kg, is more than 40\u00a0t`;
    case 'volts-out-of-range':
      return `${value}\u00a0${unit} are not ${rangeWords(unit).replace(/ (?=\S+$)/, '\u00a0')}`;
    case 'negative-slope':
      return `the ${words} ${words === 'volts' ? 'go' : 'goes'} down as the load goes up`;
    case 'few-volts':
      return `${formatValue(readings.empty_volt ?? '')} and ${value}\u00a0${unit} are less than ten steps of the output apart`;
    case 'small-span':
      return `the empty weight, ${formatValue(readings.empty_weight ?? '')}\u00a0kg, and the loaded one, ${value}\u00a0kg, are too near to each other for a line`;
    case 'too-light':
      return `${value}\u00a0kg is less than it can weigh empty`;
    case 'low-load':
      return 'the load is too light';
  }
}

// An empty truck weighs what it weighed. The weight of a trailer’s group, and of drive with another trailer behind, is
// another’s too.
function emptyWords({ readings: { empty_weight: now }, emptyBefore }: VisitAxle): string | undefined {
  if (now === undefined || emptyBefore === undefined) return undefined;
  const was = parseDecimal(emptyBefore.kg);
  const change = absolute(subtract(parseDecimal(now), was));
  const isLarge = compare(multiply(change, whole(100)), multiply(was, whole(EMPTY_CHANGE.percent))) > 0;
  return isLarge && compare(change, whole(EMPTY_CHANGE.kg)) > 0
    ? `the empty weight, ${formatValue(now)}\u00a0kg, was ${kg(was)} on ${formatDay(emptyBefore.on)} (limit ${EMPTY_CHANGE.percent}\u00a0% and ${EMPTY_CHANGE.kg}\u00a0kg)`
    : undefined;
}
const EMPTY_CHANGE = { percent: 15, kg: 300 };
