// A weighbridge of the register, in code a reference: what a scale is calibrated against.
import { foldName } from '#app/platform/process/typed-text.ts';
import { addDays, isDay } from '#app/platform/time/calendar.ts';

export const STATES = [
  { value: 'NSW', label: 'New South Wales' },
  { value: 'VIC', label: 'Victoria' },
  { value: 'QLD', label: 'Queensland' },
  { value: 'SA', label: 'South Australia' },
  { value: 'WA', label: 'Western Australia' },
  { value: 'TAS', label: 'Tasmania' },
  { value: 'NT', label: 'Northern Territory' },
  { value: 'ACT', label: 'Australian Capital Territory' },
] as const;
export type State = (typeof STATES)[number]['value'];

// Of the places where weighbridges stand: the clock by which their tickets are printed.
const ZONES: Record<State, string> = {
  NSW: 'Australia/Sydney',
  VIC: 'Australia/Melbourne',
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  WA: 'Australia/Perth',
  TAS: 'Australia/Hobart',
  NT: 'Australia/Darwin',
  ACT: 'Australia/Sydney',
};
export const zoneOfState = (state: State): string => ZONES[state];

/** The zone of the weighbridge whose `referenceLine` it is; undefined of any other text. */
export function zoneOfLine(line: string): string | undefined {
  const state = STATES.find(({ value }) => line.trim().toUpperCase().endsWith(` ${value}`));
  return state === undefined ? undefined : zoneOfState(state.value);
}

/** A zone that a form says it showed beside a time; undefined when it is no zone of a weighbridge. */
export const shownZone = (text: string): string | undefined => Object.values(ZONES).find((zone) => zone === text);

/** 'Victoria'. */
export const stateWords = (state: State): string => STATES.find(({ value }) => value === state)?.label ?? state;

type Named = { name: string; place: string; state: State };

/** The line by which people and forms tell weighbridges apart: 'Example Creek, Example Creek VIC'. */
export const referenceLine = ({ name, place, state }: Named): string => `${name}, ${place} ${state}`;

/** Under one name and place in one state there is one weighbridge, in whatever letters, apostrophes and hyphens. */
export const referenceKey = ({ name, place, state }: Named): string => [name, place, state].map(foldName).join('\n');

/** The longest texts, in characters. */
export const LONGEST = {
  name: 120,
  place: 120,
  operator: 200,
  publicLicence: 60,
  certificate: 60,
  repair: 200,
} as const;

/** '80 t', '60.5 t'; null is not known. */
export const tonnes = (kg: number | null): string =>
  kg === null ? '' : `${(kg / 1000).toLocaleString('en-AU', { maximumFractionDigits: 3 })}\u00a0t`;

export const kilograms = (kg: number | null): string => (kg === null ? '' : `${kg.toLocaleString('en-AU')}\u00a0kg`);

/** The last day of the 12 months that begin on `day`: the registry's own default for a verification. */
export function twelveMonthsFrom(day: string): string {
  const next = `${String(Number(day.slice(0, 4)) + 1)}${day.slice(4)}`;
  // 29 February has no day of its own in the next year.
  return addDays(isDay(next) ? next : `${next.slice(0, 4)}-03-01`, -1);
}

/** A verification that ends within these days, counting from today, is said to end soon. */
export const ENDS_SOON_DAYS = 30;

/**
 * Whether verifications cover today. `coveredTo`: the last day of the days without a gap that today is among; null:
 * today is not covered. `verifiedTo`: the last day that any period covers.
 */
export type Coverage = { coveredTo: string | null; verifiedTo: string | null };

export const COVERAGE_STATES = ['current', 'ends-soon', 'not-covered'] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

export function coverageState({ coveredTo }: Pick<Coverage, 'coveredTo'>, today: string): CoverageState {
  if (coveredTo === null) return 'not-covered';
  return coveredTo <= addDays(today, ENDS_SOON_DAYS) ? 'ends-soon' : 'current';
}
